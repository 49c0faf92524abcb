package io.tidemark.bench.pool;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.PutMode;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.core.pool.Reserved;
import io.tidemark.core.pool.Session;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/** Puts fresh blocks into a pool that evicts meanwhile, or gets blocks that are there; bytes a nanosecond = GB/s. */
final class PoolSide implements Side {
    private static final int KEY_BYTES = 32;
    private static final int MAX_TRIES = 100_000_000;

    private final Session session;
    private final UserBuffer user;
    private final int blockBytes;
    private final boolean put;
    private final int blocks;
    private long nextKey;
    private long waits;

    private PoolSide(Pool pool, int blockBytes, boolean put) {
        this.session = pool.session("bench");
        this.user = new UserBuffer(blockBytes);
        this.blockBytes = blockBytes;
        this.put = put;
        this.blocks = Math.toIntExact(UserBuffer.MEASURE_BYTES / blockBytes);
    }

    static PoolSide putting(Pool pool, int blockBytes) {
        return new PoolSide(pool, blockBytes, true);
    }

    static PoolSide getting(Pool pool, int blockBytes) {
        pool.clear();
        PoolSide side = new PoolSide(pool, blockBytes, false);
        for (int i = 0; i < side.blocks; i++) {
            side.put(i);
        }
        return side;
    }

    @Override
    public String name() {
        return put ? "put" : "get";
    }

    @Override
    public double measure() {
        long start = System.nanoTime();
        for (int i = 0; i < blocks; i++) {
            if (put) {
                put(nextKey++);
            } else {
                get(i);
            }
        }
        return UserBuffer.MEASURE_BYTES / (double) (System.nanoTime() - start);
    }

    /** How often a put found the pool full, in all measurements. */
    long waits() {
        return waits;
    }

    private void put(long number) {
        try (Reserved.Reservation space = reserve(number)) {
            MemorySegment mine = user.next();
            long offset = 0;
            for (MemorySegment part : space.segments()) {
                MemorySegment.copy(mine, offset, part, 0, part.byteSize());
                offset += part.byteSize();
            }
            Answer answer = space.commit();
            if (answer != Answer.STORED) {
                throw new IllegalStateException("commit answered " + answer);
            }
        }
    }

    private Reserved.Reservation reserve(long number) {
        for (int i = 0; i < MAX_TRIES; i++) {
            Reserved reserved = session.reserve(key(number), blockBytes, PutHints.NONE, PutMode.CREATE);
            if (reserved instanceof Reserved.Reservation space) {
                return space;
            }
            waits++;
            Thread.onSpinWait();
        }
        throw new IllegalStateException("no space for " + blockBytes + " bytes");
    }

    private void get(long number) {
        if (!(session.read(key(number)) instanceof ReadResult.Pinned pinned)) {
            throw new IllegalStateException("block " + number + " is gone");
        }
        try (pinned) {
            MemorySegment mine = user.next();
            long offset = 0;
            List<MemorySegment> parts = pinned.segments();
            for (MemorySegment part : parts) {
                MemorySegment.copy(part, 0, mine, offset, part.byteSize());
                offset += part.byteSize();
            }
        }
    }

    private static BlockKey key(long number) {
        return BlockKey.of(ByteBuffer.allocate(KEY_BYTES).putLong(number).array());
    }
}
