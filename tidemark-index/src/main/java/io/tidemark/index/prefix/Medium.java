package io.tidemark.index.prefix;

/** Where a block of an event lies; the names are those of the event protocol. */
public enum Medium {
    /** The device. */
    GPU,
    /** The host tier. */
    CPU_PINNED
}
