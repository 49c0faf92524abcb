package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Absolute;
import io.tidemark.bench.harness.BenchOptions;
import io.tidemark.bench.harness.Comparison;
import io.tidemark.bench.harness.Reading;
import io.tidemark.bench.harness.Samples;
import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.pool.Pool;
import io.tidemark.server.config.ByteSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./tidemark bench ssd}. */
@Command(
        name = "ssd",
        mixinStandardHelpOptions = true,
        description =
                "SSD read, write and demotion, 1 MiB and 64 KiB at depth 8, against fio with direct I/O on the same "
                        + "file system, in small and in huge pages; gets through the pool, by one caller for many and by "
                        + "eight that wait; latency of reads while demotions run.")
public final class SsdBench implements Callable<Integer> {
    /** Calls in flight. */
    static final int DEPTH = 8;
    /** Bytes that are spread over, on both sides. */
    static final long FILE_BYTES = 1L << 30;

    private static final long CAPACITY_BYTES = FILE_BYTES * 3 / 2;
    private static final long MOVED_BYTES = 256L << 20;
    private static final long DRAM_BYTES = 512L << 20;
    private static final long READS_DRAM_BYTES = 256L << 20;
    private static final double GOAL = 0.9;
    /** Beside background work a read takes at most so many times as long (faults, G126). */
    private static final double LATENCY_GOAL = 2;

    private static final int NO_FIO = 3;

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--cells",
            split = ",",
            defaultValue = "READ,VERIFY,WRITE,DEMOTION,LATENCY,BATCH,CALLERS",
            description = "What to measure: ${COMPLETION-CANDIDATES} (default: all).")
    private Set<What> cells;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "1Mi,64Ki",
            description = "Block sizes (default ${DEFAULT-VALUE}).")
    private List<String> sizes;

    @Option(names = "--dir", description = "Where (default: a directory of its own in the temporary files).")
    private Path directory = Path.of(System.getProperty("java.io.tmpdir"), "tidemark-bench-ssd");

    /** In which fio can have its buffers here. */
    private final Set<Pages> fioPages = EnumSet.allOf(Pages.class);

    /** What can be measured. */
    enum What {
        READ,
        /** What it costs that each read is verified. */
        VERIFY,
        WRITE,
        DEMOTION,
        LATENCY,
        BATCH,
        CALLERS
    }

    @Override
    public Integer call() throws Exception {
        options.begin();
        if (!Fio.isThere()) {
            options.note("there is no fio here: install it (package fio), nothing was measured");
            return NO_FIO;
        }
        Files.createDirectories(directory);
        Path file = directory.resolve("fio");
        try {
            FioSide.layOut(file, FILE_BYTES);
            lookForHugePages(file);
            media(file);
            verification(file);
            pools(file);
            reads(file, What.BATCH, PoolReadSide.Callers.BATCH);
            reads(file, What.CALLERS, PoolReadSide.Callers.WAITING);
        } finally {
            Files.deleteIfExists(file);
            Tiers.remove(directory);
        }
        return 0;
    }

    private void media(Path file) throws Exception {
        if (directions().isEmpty()) {
            return;
        }
        try (SsdMedium ssd = Tiers.ssd(NativeSys.INSTANCE, directory, CAPACITY_BYTES, true)) {
            for (int blockBytes : blockSizes()) {
                for (boolean read : directions()) {
                    try (MediumSide ours = new MediumSide(ssd, read, blockBytes, FILE_BYTES, MOVED_BYTES)) {
                        for (Pages pages : fioPages) {
                            compare(ours.in(pages), Set.of(pages), file, read, blockBytes);
                        }
                    }
                }
            }
        }
    }

    /** Reads of the medium against the same calls whose bytes nobody looks at. */
    private void verification(Path file) throws Exception {
        if (!cells.contains(What.VERIFY)) {
            return;
        }
        Pages pages = Pages.hugeForAsking() ? Pages.HUGE : Pages.SMALL;
        for (int blockBytes : blockSizes()) {
            try (SsdMedium ssd = Tiers.ssd(NativeSys.INSTANCE, directory, CAPACITY_BYTES, true);
                    MediumSide ours = new MediumSide(ssd, true, blockBytes, FILE_BYTES, MOVED_BYTES);
                    BareReads bare = new BareReads(file, blockBytes, MOVED_BYTES, pages);
                    Sums sums = new Sums()) {
                List<Samples> samples = options.rounds().run(List.of(ours.in(pages), bare, sums), System::nanoTime);
                String what = "SSD read, verified, " + (blockBytes >> 10) + " KiB, depth " + DEPTH;
                options.result(new Comparison(what, "GB/s", samples.get(0), samples.get(1), GOAL));
                options.result(new Reading(
                        "checksums alone, one thread", "GB/s", samples.get(2).median()));
                options.note("sum of all sums: " + sums.all());
            }
        }
    }

    private void pools(Path file) throws Exception {
        if (!cells.contains(What.DEMOTION) && !cells.contains(What.LATENCY)) {
            return;
        }
        try (Pool pool = Tiers.open(NativeSys.INSTANCE, directory, DRAM_BYTES, CAPACITY_BYTES, true)) {
            for (int blockBytes : cells.contains(What.DEMOTION) ? blockSizes() : List.<Integer>of()) {
                compare(new DemotionSide(pool, blockBytes, MOVED_BYTES), fioPages, file, false, blockBytes);
            }
            if (cells.contains(What.LATENCY)) {
                latency(pool, file);
            }
        }
    }

    /** Gets through the pool as it is shipped, with as many threads that read as the other side has calls in flight. */
    private void reads(Path file, What cell, PoolReadSide.Callers callers) throws Exception {
        if (!cells.contains(cell)) {
            return;
        }
        try (Pool pool = Tiers.open(NativeSys.INSTANCE, directory, READS_DRAM_BYTES, CAPACITY_BYTES, true)) {
            for (int blockBytes : blockSizes()) {
                try (PoolReadSide ours = new PoolReadSide(pool, callers, blockBytes, MOVED_BYTES)) {
                    compare(ours, fioPages, file, true, blockBytes);
                }
            }
        }
    }

    /** Gets one at a time, alone and beside demotions, and the same of fio beside writes as long and as many. */
    private void latency(Pool pool, Path file) throws Exception {
        ReadLatency latency = new ReadLatency(pool);
        List<Samples> p99 = options.rounds()
                .run(
                        List.of(
                                latency.alone(),
                                latency.besideDemotions(),
                                new FioLatency(file, ReadLatency.READS, false),
                                new FioLatency(file, ReadLatency.READS, true)),
                        System::nanoTime);
        latency.remove();
        for (Samples side : p99) {
            options.result(new Reading("p99 of a read of 64 KiB, " + side.side(), "us", side.median()));
        }
        options.result(new Absolute(
                "the same, beside demotions to alone", "x", p99.get(1).ratioTo(p99.get(0)), LATENCY_GOAL));
        options.result(new Reading(
                "the same of fio, beside its writes to alone", "x", p99.get(3).ratioTo(p99.get(2))));
        options.note(latency.text());
    }

    private List<Integer> blockSizes() {
        return sizes.stream().map(size -> Math.toIntExact(ByteSize.parse(size))).toList();
    }

    /** Reads, writes or both. */
    private List<Boolean> directions() {
        return Stream.of(What.READ, What.WRITE)
                .filter(cells::contains)
                .map(What.READ::equals)
                .toList();
    }

    private void lookForHugePages(Path file) throws InterruptedException {
        boolean all = Pages.hugeForAsking();
        for (int blockBytes : blockSizes()) {
            all = all && FioSide.hasHugePages(file, blockBytes);
        }
        if (!all) {
            fioPages.remove(Pages.HUGE);
            options.note(
                    "huge pages are left out: they take a kernel that gives them for asking, to us, and some that are set"
                            + " aside (vm.nr_hugepages), to fio");
        }
    }

    /** Ours against fio in each of these pages, in one go. */
    private void compare(Side ours, Set<Pages> pages, Path file, boolean read, int blockBytes) throws Exception {
        List<Side> sides = new ArrayList<>(List.of(ours));
        pages.forEach(each -> sides.add(new FioSide(file, read, blockBytes, MOVED_BYTES, each)));
        List<Samples> samples = options.rounds().run(sides, System::nanoTime);
        String what = "SSD " + ours.name() + " " + (blockBytes >> 10) + " KiB, depth " + DEPTH;
        for (Samples fio : samples.subList(1, samples.size())) {
            options.result(new Comparison(what, "GB/s", samples.getFirst(), fio, GOAL));
        }
    }
}
