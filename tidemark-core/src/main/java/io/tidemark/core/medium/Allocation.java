package io.tidemark.core.medium;

/** What a medium answers to a request for space. */
public sealed interface Allocation {
    /**
     * Space is held.
     *
     * @param copy handle of a copy in state RESERVED: slot in the low 32 bits, generation in the high 32
     */
    record Allocated(long copy) implements Allocation {}

    /** No space now; nothing was changed. */
    record NoSpace() implements Allocation {}

    /** The size can never fit this medium. */
    record TooLarge(long limitBytes) implements Allocation {}

    /** The medium is unhealthy or closed. */
    record Unavailable(String why) implements Allocation {}
}
