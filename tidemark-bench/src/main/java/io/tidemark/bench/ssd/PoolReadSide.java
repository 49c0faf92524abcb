package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.core.pool.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Gets of random blocks that are only on SSD, each verified, through the pool: by callers each of which waits for its read, or
 * by one that asks for many and waits for all, as MGET does.
 */
final class PoolReadSide implements Side, AutoCloseable {
    /** Reads that the one caller has asked for and not been answered; more than the device is given at once. */
    private static final int AHEAD = 64;
    /** It asks again when so many were answered. */
    private static final int STEP = 16;

    private static final long PAUSE_NANOS = 1_000_000;

    /** Who asks. */
    enum Callers {
        /** One, for many blocks at once. */
        BATCH,
        /** {@value SsdBench#DEPTH}, each for one block at a time. */
        WAITING
    }

    private final Pool pool;
    private final Callers callers;
    private final int blockBytes;
    private final int blocks;
    private final int reads;
    private final Session session;
    private final ExecutorService threads = Executors.newFixedThreadPool(SsdBench.DEPTH);

    PoolReadSide(Pool pool, Callers callers, int blockBytes, long moved) {
        this.pool = pool;
        this.callers = callers;
        this.blockBytes = blockBytes;
        blocks = (int) (SsdBench.FILE_BYTES / blockBytes);
        reads = (int) (moved / blockBytes);
        session = pool.session("reads");
        fill();
    }

    private void fill() {
        DemotionSide below = new DemotionSide(pool, blockBytes, 0);
        for (long number = 0; number < blocks; number++) {
            below.put(number);
            pool.evict(new EvictionRequest(
                    DemotionSide.key(number), Optional.of("dram"), Optional.empty(), EvictionReason.CAPACITY));
        }
        while (pool.status().transitions() > 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public String name() {
        return switch (callers) {
            case BATCH -> "gets in a batch";
            case WAITING -> "gets by " + SsdBench.DEPTH + " callers";
        };
    }

    @Override
    public double measure() throws Exception {
        long start = System.nanoTime();
        switch (callers) {
            case BATCH -> batch();
            case WAITING -> waiting();
        }
        return (double) reads * blockBytes / (System.nanoTime() - start);
    }

    private void batch() throws InterruptedException {
        Semaphore room = new Semaphore(AHEAD);
        AtomicInteger missed = new AtomicInteger();
        AtomicInteger answered = new AtomicInteger();
        for (int done = 0; done < reads; done += STEP) {
            room.acquire(STEP);
            for (int i = 0; i < STEP; i++) {
                session.read(randomKey(), result -> {
                    missed.addAndGet(closed(result) ? 0 : 1);
                    if (answered.incrementAndGet() % STEP == 0) {
                        room.release(STEP); // a wake-up a step, not a read
                    }
                });
            }
        }
        room.acquire(AHEAD);
        require(missed.get() == 0);
    }

    private void waiting() throws Exception {
        AtomicInteger left = new AtomicInteger(reads);
        List<Future<?>> running = new ArrayList<>();
        Callable<Void> caller = () -> {
            while (left.getAndDecrement() > 0) {
                require(closed(session.read(randomKey())));
            }
            return null;
        };
        for (int i = 0; i < SsdBench.DEPTH; i++) {
            running.add(threads.submit(caller));
        }
        for (Future<?> each : running) {
            each.get();
        }
    }

    private BlockKey randomKey() {
        return DemotionSide.key(ThreadLocalRandom.current().nextLong(blocks));
    }

    private static boolean closed(ReadResult result) {
        if (result instanceof ReadResult.Pinned pinned) {
            pinned.close();
            return true;
        }
        return false;
    }

    private static void require(boolean all) {
        if (!all) {
            throw new IllegalStateException("a block was not read");
        }
    }

    @Override
    public void close() {
        threads.shutdown();
        for (long number = 0; number < blocks; number++) {
            pool.evict(EvictionRequest.of(DemotionSide.key(number), EvictionReason.DELETED));
        }
        session.close();
    }
}
