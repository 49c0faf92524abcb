package io.tidemark.bench.volume;

import io.tidemark.bench.harness.Absolute;
import io.tidemark.bench.harness.BenchOptions;
import io.tidemark.bench.harness.Comparison;
import io.tidemark.bench.harness.MedianInterval;
import io.tidemark.bench.harness.Samples;
import io.tidemark.bench.harness.Side;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./tidemark bench volume}. */
@Command(
        name = "volume",
        mixinStandardHelpOptions = true,
        description =
                "Walk and eviction (88 %% to the target) of an ext4 volume in a loop device, against the same work"
                        + " in C, and against another evictor with the same variables. evict: started on a full volume,"
                        + " walk included on both sides; warm: of an evictor that is running when the volume is filled,"
                        + " against the removal alone. Needs root, cc and mkfs.ext4.")
public final class VolumeBench implements Callable<Integer> {
    private static final double WALK_GOAL = 0.5;
    private static final double EVICT_GOAL = 0.8;
    private static final double PEER_GOAL = 3;
    private static final double FIRST_UNLINK_GOAL = 2;
    private static final double RESIDENT_GOAL = 256;

    @Mixin
    private BenchOptions options;

    @Option(names = "--files", defaultValue = "500000", description = "Files (default ${DEFAULT-VALUE}).")
    private long files;

    @Option(names = "--shapes", split = ",", defaultValue = "DENSE,HASH", description = "DENSE, HASH.")
    private List<Shape> shapes;

    @Option(names = "--threads", defaultValue = "2", description = "Crawlers (default ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--what", split = ",", defaultValue = "walk,evict,warm", description = "walk, evict, warm.")
    private List<String> what;

    @Option(names = "--target", defaultValue = "70", description = "Target in percent (default ${DEFAULT-VALUE}).")
    private double targetPercent;

    @Option(
            names = "--settle-millis",
            defaultValue = "8000",
            description = "How long an evictor runs before the volume is filled (default ${DEFAULT-VALUE}).")
    private long settleMillis;

    @Option(names = "--evictor", defaultValue = "./tidemark volume", description = "Ours (default ${DEFAULT-VALUE}).")
    private String evictor;

    @Option(names = "--peer", paramLabel = "COMMAND", description = "Another evictor with the same variables.")
    private Optional<String> peer = Optional.empty();

    @Override
    public Integer call() throws Exception {
        options.begin();
        Path folder = Files.createTempDirectory("tidemark-bench-volume");
        try {
            Reference reference = Reference.compile(folder);
            for (Shape shape : shapes) {
                try (LoopVolume volume = LoopVolume.make(folder, reference, files, shape)) {
                    String cell = shape + " " + files;
                    if (what.contains("walk")) {
                        walk(volume, reference, cell);
                    }
                    if (what.contains("evict")) {
                        evict(volume, reference, cell, Trigger.START);
                    }
                    if (what.contains("warm")) {
                        evict(volume, reference, cell, Trigger.FILL);
                    }
                }
            }
        } finally {
            delete(folder);
        }
        return 0;
    }

    private void walk(LoopVolume volume, Reference reference, String cell) throws Exception {
        volume.fresh();
        double cold = new WalkSides.Ours(volume, threads).measure();
        options.note("walk, " + cell + ", cold cache: " + Math.round(cold) + " files/s");
        List<Side> sides = List.of(new WalkSides.Ours(volume, threads), new WalkSides.InC(volume, reference, threads));
        List<Samples> samples = options.rounds().run(sides, System::nanoTime);
        options.result(new Comparison("walk, " + cell, "files/s", samples.get(0), samples.get(1), WALK_GOAL));
    }

    private void evict(LoopVolume volume, Reference reference, String cell, Trigger trigger) throws Exception {
        EvictSide ours = side("evict", evictor, volume, reference, trigger);
        EvictInC inC = new EvictInC(volume, reference, threads, targetPercent, trigger);
        List<Side> sides = new ArrayList<>(List.of(ours, inC));
        peer.ifPresent(command -> sides.add(side("peer", command, volume, reference, trigger)));
        List<Samples> samples = options.rounds().run(sides, System::nanoTime);
        String name = "evict, " + cell + " (" + trigger.words() + ")";
        for (Samples other : samples.subList(1, samples.size())) {
            double goal = other.side().equals("C") ? EVICT_GOAL : PEER_GOAL;
            options.result(new Comparison(name, "files/s", samples.getFirst(), other, goal));
        }
        options.note(name + ": seconds to the target " + median(ours, EvictSide.Run::targetSeconds)
                + ", of processor time " + median(ours, EvictSide.Run::cpuSeconds));
        MedianInterval first = median(ours, EvictSide.Run::firstUnlinkSeconds);
        options.result(new Absolute("first unlink, " + cell + ", " + trigger, "s", first, FIRST_UNLINK_GOAL));
        MedianInterval resident = median(ours, EvictSide.Run::residentMib);
        options.result(new Absolute("resident, " + cell + ", " + trigger, "MiB", resident, RESIDENT_GOAL));
    }

    private static MedianInterval median(EvictSide side, ToDoubleFunction<EvictSide.Run> of) {
        return MedianInterval.of(side.runs().stream().mapToDouble(of).toArray());
    }

    private EvictSide side(String name, String command, LoopVolume volume, Reference reference, Trigger trigger) {
        List<String> words = Arrays.asList(command.split(" +", -1));
        return new EvictSide(name, words, volume, reference, threads, targetPercent, trigger, settleMillis);
    }

    private static void delete(Path folder) throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
