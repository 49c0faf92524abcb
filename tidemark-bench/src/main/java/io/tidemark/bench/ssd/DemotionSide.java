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
        long before = Tiers.below(pool);
        long start = System.nanoTime();
        demote(first);
        long nanos = System.nanoTime() - start;
        if (Tiers.below(pool) != before + blocks) {
            throw new IllegalStateException("%d of %d blocks landed".formatted(Tiers.below(pool) - before, blocks));
        }
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

    /** Stores a block of this number in DRAM; waits where there is no space yet. */
    void put(long number) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            Answer answer = switch (session.reserve(key(number), blockBytes, PutHints.NONE, PutMode.REPLACE)) {
                case Reserved.Reservation space -> {
                    space.segments().forEach(part -> part.fill((byte) number));
                    yield space.commit();
                }
                case Reserved.Refused(Answer why) -> why;
            };
            if (answer == Answer.STORED) {
                return;
            }
            if (answer != Answer.NO_SPACE) {
                throw new IllegalStateException("put of " + blockBytes + " bytes answered " + answer);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IllegalStateException("no space in DRAM for a block of " + blockBytes + " bytes");
    }

    static BlockKey key(long number) {
        return BlockKey.of(ByteBuffer.allocate(KEY_BYTES).putLong(number).array());
    }
}
