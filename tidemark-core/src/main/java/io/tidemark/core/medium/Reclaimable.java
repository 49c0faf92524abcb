package io.tidemark.core.medium;

/**
 * A medium's one way to free a committed copy. Only {@code Evictor} calls it (a rule of the architecture test).
 *
 * <p>It validates again at the moment of the free: same generation, still evictable. What is not, stays.
 */
public interface Reclaimable<H> {
    /** Frees one copy and says what that gave back. Never blocks on a pin. */
    Freed free(H handle);

    /** Frees one copy for the given handle: outcome and allocated bytes given back (0 unless FREED). */
    record Freed(Outcome outcome, long bytes) {
        public static final Freed GONE = new Freed(Outcome.GONE, 0);
        public static final Freed HELD = new Freed(Outcome.HELD, 0);
        public static final Freed FAILED = new Freed(Outcome.FAILED, 0);
    }

    /** What a free came to. */
    enum Outcome {
        /** The bytes are back. */
        FREED,
        /** No such copy any more: other generation, already freed, file already deleted. */
        GONE,
        /** Pinned, moving or otherwise not to be freed now. */
        HELD,
        /** The medium could not free it (an I/O error); counted, and left in place. */
        FAILED
    }
}
