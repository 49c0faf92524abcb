package io.tidemark.core.pool;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/** What a request for space for a put came to. */
public sealed interface Reserved {
    /** Why there is no reservation: EXISTS, BUSY, NO_SPACE, TOO_LARGE or FAILED. */
    record Refused(Answer answer) implements Reserved {}

    /**
     * Space for one block, owned by the session that asked. Not findable until {@link #commit}. Dropped by
     * {@link #close}, by the end of the session, or when it made no progress for its whole time; a commit after that answers FAILED.
     */
    non-sealed interface Reservation extends Reserved, AutoCloseable {
        /** Bytes reserved for the value. */
        long bytes();

        /** Where the value's bytes go, in order; the sizes add up to {@link #bytes}. */
        List<MemorySegment> segments();

        /**
         * Where the bytes of a part of the value go, in order. Unless all of them were asked for at once, the parts have to
         * cover the value exactly, or it is not published.
         */
        List<MemorySegment> segments(ByteRange range);

        /** Tells that bytes arrived: the put has its whole time again. */
        void progressed();

        /**
         * Publishes the block: STORED, or EXISTS, MISS (conditions of the {@link PutMode}), NO_SPACE or FAILED, also where
         * bytes are missing. One whose life is over is STORED in that its key holds nothing from that moment on.
         */
        Answer commit();

        /**
         * As {@link #commit()}, with hints and a mode in place of those given when the space was asked for: on the wire
         * they may follow the value.
         */
        default Answer commit(PutHints hints, PutMode mode) {
            return commit(hints, mode, Ends.awaited());
        }

        /**
         * As {@link #commit(PutHints, PutMode)}; {@code ends} says who waits for the ends of older copies. Where the caller
         * does not, bytes that a device holds already count as others: it would have to be asked.
         */
        Answer commit(PutHints hints, PutMode mode, Ends ends);

        /**
         * As {@link #commit(PutHints, PutMode)}, and answers {@code old} once with the value that the key held at this
         * very moment: at once, or from a thread of the pool when a device has brought it. Where that value may not be
         * read now it is a refusal, BUSY is returned and nothing was stored.
         *
         * @param seen what a read of the session found a moment ago; if that is the value still, no device is asked
         *     again. It belongs to the pool from here on.
         */
        default Answer exchange(PutHints hints, PutMode mode, ReadResult seen, Consumer<ReadResult> old) {
            return exchange(hints, mode, seen, old, Ends.awaited());
        }

        /** As above; {@code ends} says who waits for the ends of older copies. */
        Answer exchange(PutHints hints, PutMode mode, ReadResult seen, Consumer<ReadResult> old, Ends ends);

        /** Gives the space back unless it was committed. Idempotent. */
        @Override
        void close();
    }
}
