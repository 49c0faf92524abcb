package io.tidemark.core.medium;

/** Is shown the copies that a medium found at its start. */
@FunctionalInterface
public interface RecoveredCopies {
    /**
     * One copy, COMMITTED. Two copies of one key are possible after a kill in the middle of an overwrite: the higher
     * generation is the younger one, the other is to be discarded.
     *
     * @param key what {@link Medium#seal} was given
     * @param generation what {@link Medium#seal} was given
     */
    void copy(long copy, byte[] key, long generation, long lengthBytes);

    /** The visitor of one thread, asked for by that thread before its first copy. */
    default RecoveredCopies ofThread() {
        return this;
    }

    /** The thread has shown its last copy. */
    default void end() {}
}
