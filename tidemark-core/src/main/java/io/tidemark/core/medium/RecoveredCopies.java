package io.tidemark.core.medium;

import java.util.Arrays;
import java.util.List;

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

    /**
     * As {@link #copy(long, byte[], long, long)}, where the key lies in an array that is read only and changes after the
     * call: who makes no objects of a million keys starts faster.
     */
    default void copy(long copy, byte[] bytes, int keyAt, int keyBytes, long generation, long lengthBytes) {
        copy(copy, Arrays.copyOfRange(bytes, keyAt, keyAt + keyBytes), generation, lengthBytes);
    }

    /**
     * Visitors for so many shares of the copies at most, by default this one for all. Each is shown every copy and takes those
     * of its share, so that threads with different ones write to different parts of an index. Each call answers others, of the
     * same shares: towards the end several threads may have one and the same, each with a visitor of its own.
     */
    default List<RecoveredCopies> shares(int most) {
        return List.of(this);
    }

    /** This visitor is shown no more copies. */
    default void end() {}
}
