package io.tidemark.bench.pool;

import io.tidemark.bench.harness.Absolute;
import io.tidemark.bench.harness.BenchOptions;
import io.tidemark.bench.harness.Samples;
import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.DramMedium;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./tidemark bench alloc}. */
@Command(
        name = "alloc",
        mixinStandardHelpOptions = true,
        description = "Allocation of one page and of 1 MiB in DRAM: empty, and 99 %% full.")
public final class AllocBench implements Callable<Integer> {
    private static final long CAPACITY_BYTES = 1L << 30;
    private static final int PAGE = 4096;
    private static final int RUN = 1 << 20;
    private static final int MAX_PAGES = 256;
    private static final double FULL = 0.99;
    private static final int CHURN = 2_000_000;
    private static final double GOAL_NANOS = 1_000;

    @Mixin
    private BenchOptions options;

    @Override
    public Integer call() throws Exception {
        options.begin();
        try (DramMedium medium = Media.touchedDram("dram0", CAPACITY_BYTES)) {
            measure(medium, "empty");
            churn(medium);
            measure(medium, "99 % full after churn");
        }
        try (DramMedium medium = Media.touchedDram("dram1", CAPACITY_BYTES)) {
            scatter(medium);
            measure(medium, "99 % full, every free page alone");
        }
        return 0;
    }

    private void measure(DramMedium medium, String state) throws Exception {
        List<Side> sides = List.of(new Allocating(medium, PAGE, 512), new Allocating(medium, RUN, 8));
        for (Samples samples : options.rounds().run(sides, System::nanoTime)) {
            options.result(new Absolute(samples.side() + ", " + state, "ns", samples.median(), GOAL_NANOS));
        }
    }

    /** Fills the medium with blocks of mixed sizes and replaces random ones until free space is scattered. */
    private void churn(DramMedium medium) {
        SplittableRandom random = new SplittableRandom(1);
        long free = (long) (CAPACITY_BYTES * (1 - FULL));
        long[] copies = new long[(int) (CAPACITY_BYTES / PAGE)];
        int count = 0;
        while (medium.ledger().snapshot().free() > free + (long) MAX_PAGES * PAGE) {
            copies[count++] = Media.allocate(medium, blockBytes(random));
        }
        for (int i = 0; i < CHURN; i++) {
            int place = random.nextInt(count);
            medium.abort(copies[place]);
            copies[place] = Media.allocate(medium, blockBytes(random, medium, free));
        }
        while (medium.ledger().snapshot().free() > free) {
            Media.allocate(medium, PAGE);
        }
    }

    /** The worst that can be: no two free pages side by side. */
    private static void scatter(DramMedium medium) {
        long[] copies = new long[(int) (CAPACITY_BYTES / PAGE)];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = Media.allocate(medium, PAGE);
        }
        int step = (int) Math.round(1 / (1 - FULL));
        for (int i = 0; i < copies.length; i += step) {
            medium.abort(copies[i]);
        }
    }

    private static long blockBytes(SplittableRandom random) {
        return (long) random.nextInt(1, MAX_PAGES + 1) * PAGE;
    }

    private static long blockBytes(SplittableRandom random, DramMedium medium, long keepFree) {
        long room = medium.ledger().snapshot().free() - keepFree;
        return Math.clamp(blockBytes(random), PAGE, Math.max(PAGE, room));
    }

    /** Allocates a few blocks on the clock and gives them back off it; nanoseconds an allocation. */
    private record Allocating(DramMedium medium, int bytes, int blocks) implements Side {
        private static final int REPEATS = 200;

        @Override
        public String name() {
            return bytes == PAGE ? "allocate 1 page" : "allocate 1 MiB";
        }

        @Override
        public double measure() {
            long[] copies = new long[blocks];
            long nanos = 0;
            for (int repeat = 0; repeat < REPEATS; repeat++) {
                long start = System.nanoTime();
                for (int i = 0; i < blocks; i++) {
                    copies[i] = Media.allocate(medium, bytes);
                }
                nanos += System.nanoTime() - start;
                for (int i = 0; i < blocks; i++) {
                    medium.abort(copies[i]);
                }
            }
            return nanos / (double) (REPEATS * blocks);
        }
    }
}
