package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.core.pool.Session;
import java.util.ArrayList;
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
    /** Reads of a measurement. */
    static final int READS = 2_000;

    private static final long BUSY_BYTES = 64L << 20;
    private static final long PAUSE_NANOS = 1_000_000;

    private final Pool pool;
    private final Session session;
    private final DemotionSide demotions;

    /** Medians of each measurement in microseconds ... */
    private final List<Double> alone = new ArrayList<>();

    private final List<Double> beside = new ArrayList<>();

    /** ... and GB/s of the demotions beside them. */
    private final List<Double> rates = new CopyOnWriteArrayList<>();

    ReadLatency(Pool pool) {
        this.pool = pool;
        session = pool.session("latency");
        demotions = new DemotionSide(pool, BLOCK_BYTES, BUSY_BYTES);
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

    /** Microseconds of the 99th of a hundred reads, with nothing beside them. */
    Side alone() {
        return Side.of("alone", () -> reads(alone));
    }

    /** The same while demotions run as fast as they can. */
    Side besideDemotions() {
        return Side.of("beside demotions", this::whileDemoting);
    }

    private double whileDemoting() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Thread busy = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                rates.add(demotions.measure());
            }
        });
        try {
            return reads(beside);
        } finally {
            stop.set(true);
            busy.join();
        }
    }

    /** Medians of it all. */
    String text() {
        return "get of 64 KiB from SSD, one at a time, median of all rounds: %.0f us, while demotions run %.0f us, demotions %.2f GB/s"
                .formatted(median(alone), median(beside), median(rates));
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    void remove() {
        for (long number = 0; number < BLOCKS; number++) {
            pool.evict(EvictionRequest.of(DemotionSide.key(-1 - number), EvictionReason.DELETED));
        }
    }

    private double reads(List<Double> medians) {
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
        medians.add(micros[READS / 2]);
        return micros[READS * 99 / 100];
    }
}
