package io.tidemark.core.pool;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** What a read came to. */
public sealed interface ReadResult {
    /** No such block. */
    record Missed() implements ReadResult {}

    /** The key is held but pins are at their cap, or the tier that holds it does not answer: ask again. */
    record Refused(Answer answer) implements ReadResult {}

    /**
     * A block held in place while its bytes are moved out. The pin is a close-once token of the session; it lasts as
     * long as the read makes progress.
     */
    non-sealed interface Pinned extends ReadResult, AutoCloseable {
        /** Length of the value in bytes. */
        long bytes();

        /** The value's bytes, in order; read only. Of a read that asked for the whole value only. */
        List<MemorySegment> segments();

        /** The bytes of one of the ranges that were asked for, or of a part of one, in order; read only. */
        List<MemorySegment> segments(ByteRange range);

        /** Whether the pin stands. Bytes read after it was taken away are not the value's. */
        boolean held();

        /** Tells that bytes have moved since the last call; without it a pin counts as stalled after 30 s. */
        void progressed();

        /** Ends the read: unpins, and touches the block in the order. Idempotent. */
        @Override
        void close();
    }
}
