package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.PutMode;
import io.tidemark.core.pool.Reserved;
import io.tidemark.core.pool.Session;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Blocks from DRAM to SSD through the pool's transitions: from the first call until the last one has landed. */
final class DemotionSide implements Side {
    private static final int KEY_BYTES = 32;
    private static final long PAUSE_NANOS = 50_000;
    /** Looking whether all have landed takes processor time from those who carry. */
    private static final long LOOK_NANOS = 200_000;

    private static final int TRIES_MAX = 200_000;

    private final Pool pool;
    private final Session session;
    private final int blockBytes;
    private final int blocks;
    private long next = 0;

    DemotionSide(Pool pool, int blockBytes, long moved) {
        this.pool = pool;
        this.blockBytes = blockBytes;
        session = pool.session("bench");
        blocks = (int) (moved / blockBytes);
    }

    @Override
    public String name() {
        return "demotion";
    }

    @Override
    public double measure() {
        long first = next;
        for (; next < first + blocks; next++) {
            put(next);
        }
        long start = System.nanoTime();
        demote(first);
        long nanos = System.nanoTime() - start;
        for (long number = first; number < next; number++) {
            pool.evict(EvictionRequest.of(key(number), EvictionReason.DELETED));
        }
        return (double) blocks * blockBytes / nanos;
    }

    private void demote(long first) {
        for (long number = first; number < next; number++) {
            pool.evict(
                    new EvictionRequest(key(number), Optional.of("dram"), Optional.empty(), EvictionReason.CAPACITY));
        }
        while (pool.status().transitions() > 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Stores a block of this number in DRAM. */
    void put(long number) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            Reserved reserved = session.reserve(key(number), blockBytes, PutHints.NONE, PutMode.REPLACE);
            if (reserved instanceof Reserved.Reservation space && space.commit() == Answer.STORED) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IllegalStateException("no space in DRAM for a block of " + blockBytes + " bytes");
    }

    static BlockKey key(long number) {
        return BlockKey.of(ByteBuffer.allocate(KEY_BYTES).putLong(number).array());
    }
}
