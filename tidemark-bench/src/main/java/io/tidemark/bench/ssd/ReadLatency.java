package io.tidemark.bench.ssd;

import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.core.pool.Session;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** How long gets of blocks that are only on SSD take, with and without demotions that run as fast as they can. */
final class ReadLatency {
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int BLOCKS = 1_000;
    private static final int READS = 8_000;
    private static final long BUSY_BYTES = 64L << 20;
    private static final long PAUSE_NANOS = 1_000_000;

    private final Pool pool;
    private final Session session;

    ReadLatency(Pool pool) {
        this.pool = pool;
        session = pool.session("latency");
        DemotionSide below = new DemotionSide(pool, BLOCK_BYTES, 0);
        for (long number = 0; number < BLOCKS; number++) {
            long key = -1 - number;
            below.put(key);
            pool.evict(new EvictionRequest(
                    DemotionSide.key(key), Optional.of("dram"), Optional.empty(), EvictionReason.CAPACITY));
        }
        while (pool.status().transitions() > 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Microseconds: median and 99th of a hundred. */
    record Micros(double median, double p99) {}

    /**
     * Both sides of one run.
     *
     * @param gigabytes that demotions moved in a second of theirs
     */
    record Beside(Micros reads, double gigabytes) {}

    Micros idle() {
        return reads();
    }

    Beside whileDemoting() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        DemotionSide demotions = new DemotionSide(pool, BLOCK_BYTES, BUSY_BYTES);
        List<Double> rates = new CopyOnWriteArrayList<>();
        Thread busy = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                rates.add(demotions.measure());
            }
        });
        Micros reads;
        try {
            reads = reads();
        } finally {
            stop.set(true);
            busy.join();
        }
        double[] sorted =
                rates.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Beside(reads, sorted[sorted.length / 2]);
    }

    void remove() {
        for (long number = 0; number < BLOCKS; number++) {
            pool.evict(EvictionRequest.of(DemotionSide.key(-1 - number), EvictionReason.DELETED));
        }
    }

    private Micros reads() {
        double[] micros = new double[READS];
        for (int i = 0; i < READS; i++) {
            long number = ThreadLocalRandom.current().nextLong(BLOCKS);
            long start = System.nanoTime();
            if (!(session.read(DemotionSide.key(-1 - number)) instanceof ReadResult.Pinned pinned)) {
                throw new IllegalStateException("block " + number + " is gone");
            }
            pinned.close();
            micros[i] = (System.nanoTime() - start) / 1e3;
        }
        Arrays.sort(micros);
        return new Micros(micros[READS / 2], micros[READS * 99 / 100]);
    }
}
