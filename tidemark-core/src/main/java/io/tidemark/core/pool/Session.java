package io.tidemark.core.pool;

import java.util.List;
import java.util.OptionalLong;

/**
 * One client of the pool, usually one connection. It owns the reservations, pins and leases made through it, and
 * closing it ends them all. Calls on one session may come from one thread at a time.
 */
public final class Session implements AutoCloseable {
    Session() {}

    /** Asks for space for a block, without waiting. */
    public Reserved reserve(BlockKey key, long bytes, PutHints hints, PutMode mode) {
        return new Reserved.Refused(Answer.NO_SPACE);
    }

    /** Finds a block and pins it for reading. */
    public ReadResult read(BlockKey key) {
        return new ReadResult.Missed();
    }

    /**
     * The size of a block in bytes, or empty when it is not there. Takes the bounded lease of a look-up on the block
     * (2 s by default, ended by its first read) where the caps allow; it does not touch the order.
     */
    public OptionalLong lookup(BlockKey key) {
        return OptionalLong.empty();
    }

    /**
     * Commits a batch in order, and then touches it from last to first, so that of equal recency the tail of a chain
     * goes before its head. Answers are positional.
     */
    public List<Answer> commitAll(List<Reserved.Reservation> batch) {
        return batch.stream().map(Reserved.Reservation::commit).toList();
    }

    /** Ends a batch of reads, from last to first (see {@link #commitAll}). */
    public void closeAll(List<? extends ReadResult.Pinned> batch) {
        batch.reversed().forEach(ReadResult.Pinned::close);
    }

    @Override
    public void close() {}
}
