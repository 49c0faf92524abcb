package io.tidemark.index.prefix;

/** When a node is copied to the host tier. */
public enum WritePolicy {
    /** There is no host tier. */
    NONE,
    /** As soon as an insert reaches the hit threshold (1 unless set otherwise: at once). */
    WRITE_THROUGH,
    /** The same with a higher threshold (2 unless set otherwise: when inserted over again). */
    WRITE_THROUGH_SELECTIVE,
    /** Only when the node is evicted from the device; hits are not counted. */
    WRITE_BACK;

    /** Whether inserts cause backups. */
    boolean writesThrough() {
        return this == WRITE_THROUGH || this == WRITE_THROUGH_SELECTIVE;
    }
}
