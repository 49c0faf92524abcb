package io.tidemark.bench.pool;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.PutMode;
import io.tidemark.core.pool.Reserved;
import io.tidemark.core.pool.Session;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * How long batches of look-ups take in a pool that is full to its high mark with blocks of a page, over memory that is never
 * touched: alone, and while ten times a second a thousand new blocks come and the watermarks let as many go.
 */
final class LookupSides implements AutoCloseable {
    /** Keys of a batch. */
    static final int BATCH = 20_000;

    private static final int BATCHES = 100;
    private static final int EVICTED_A_TURN = 1_000;
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int TRIES_MAX = 1_000_000;
    private static final int PAGE = 4096;
    private static final int KEY_BYTES = 32;

    private final int keys;
    private final Pool pool;
    private final Session session;
    /** Number of the next block; counted by one thread at a time, read by the one that looks up. */
    private final AtomicLong next = new AtomicLong();

    private long found;
    private long asked;
    private long turns;
    private long evicted;

    LookupSides(int keys) throws IOException {
        this.keys = keys;
        long capacity = keys + keys / 8L;
        DramMedium dram = DramMedium.open(Media.untouchedMemory(), DramOptions.of("untouched", capacity * PAGE));
        dram.copies().trackOrder("lru+np");
        Marks marks = new Marks((double) keys / capacity, (double) (keys - EVICTED_A_TURN) / capacity);
        pool = Pool.open(PoolConfig.of(TierConfig.of("dram", marks, new TierMember(dram, 1))));
        session = pool.session("bench");
        put(keys);
    }

    /** Milliseconds of the 99th of a hundred batches, with nothing beside them. */
    Side alone() {
        return Side.of("alone", this::batches);
    }

    /** The same while blocks come and go. */
    Side besideEvictions() {
        return Side.of("beside evictions", this::whileEvicting);
    }

    private double whileEvicting() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        long first = next.get();
        long before = pool.blocks();
        Thread busy = Thread.ofPlatform().start(() -> {
            for (long due = System.nanoTime(); !stop.get(); due += TURN_NANOS) {
                put(EVICTED_A_TURN);
                turns++;
                LockSupport.parkNanos(due + TURN_NANOS - System.nanoTime());
            }
        });
        try {
            return batches();
        } finally {
            stop.set(true);
            busy.join();
            evicted += next.get() - first - (pool.blocks() - before);
        }
    }

    private double batches() {
        double[] millis = new double[BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            BlockKey[] batch = randomKeys();
            int there = 0;
            long start = System.nanoTime();
            for (BlockKey key : batch) {
                there += session.lookup(key).isPresent() ? 1 : 0;
            }
            millis[i] = (System.nanoTime() - start) / 1e6;
            found += there;
            asked += BATCH;
        }
        Arrays.sort(millis);
        return millis[BATCHES * 99 / 100 - 1];
    }

    /** Of those that were put last, made anew as those of a request are. */
    private BlockKey[] randomKeys() {
        long end = next.get();
        BlockKey[] batch = new BlockKey[BATCH];
        for (int i = 0; i < BATCH; i++) {
            batch[i] = key(end - 1 - ThreadLocalRandom.current().nextInt(keys - EVICTED_A_TURN));
        }
        return batch;
    }

    private void put(int blocks) {
        for (int i = 0; i < blocks; i++) {
            try (Reserved.Reservation space = reserve(next.get())) {
                space.segments(); // what nobody has asked for is not published; nothing is written there
                space.commit();
            }
            next.incrementAndGet();
        }
    }

    private Reserved.Reservation reserve(long number) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            if (session.reserve(key(number), PAGE, PutHints.NONE, PutMode.CREATE)
                    instanceof Reserved.Reservation space) {
                return space;
            }
            LockSupport.parkNanos(TURN_NANOS / EVICTED_A_TURN);
        }
        throw new IllegalStateException("no space for block " + number);
    }

    private static BlockKey key(long number) {
        return BlockKey.of(ByteBuffer.allocate(KEY_BYTES).putLong(number).array());
    }

    /** What was done. */
    String text() {
        return "found %.1f %% of the keys asked for; %,d blocks evicted in %,d turns"
                .formatted(100.0 * found / asked, evicted, turns);
    }

    @Override
    public void close() {
        session.close();
        pool.close();
    }
}
