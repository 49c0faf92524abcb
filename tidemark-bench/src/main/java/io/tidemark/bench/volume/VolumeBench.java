package io.tidemark.bench.volume;

import io.tidemark.bench.harness.Absolute;
import io.tidemark.bench.harness.BenchOptions;
import io.tidemark.bench.harness.Comparison;
import io.tidemark.bench.harness.MedianInterval;
import io.tidemark.bench.harness.Samples;
import io.tidemark.bench.harness.Side;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private static final double PEER_WALK_GOAL = 4;
    private static final double PEER_EVICT_GOAL = 3;
    private static final double FIRST_UNLINK_GOAL = 2;
    private static final double RESIDENT_GOAL = 256;
    private static final double NOT_COLDEST_GOAL_PERCENT = 1;
    private static final double BELOW_GOAL_BATCHES = 1;

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

    @Option(
            names = "--peer-walk",
            paramLabel = "COMMAND",
            description = "Walk of that evictor alone: COMMAND ROOT THREADS looks at every file, prints FILES SECONDS.")
    private Optional<String> peerWalk = Optional.empty();

    /** Those that a signal would leave behind. */
    private final List<EvictSide> evictors = new CopyOnWriteArrayList<>();

    @Override
    public Integer call() throws Exception {
        options.begin();
        Path folder = Files.createTempDirectory("tidemark-bench-volume");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> undo(folder), "undo"));
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
        List<Side> sides = new ArrayList<>(
                List.of(new WalkSides.Ours(volume, threads), new WalkSides.InC(volume, reference, threads)));
        peerWalk.ifPresent(command -> sides.add(new WalkSides.Peer(words(command), volume, threads)));
        List<Samples> samples = options.rounds().run(sides, System::nanoTime);
        Samples ours = samples.getFirst();
        options.result(new Comparison("walk, " + cell, "files/s", ours, samples.get(1), WALK_GOAL));
        if (peerWalk.isPresent()) {
            String name = "walk, " + cell + " (of the peer its walker and a look at each file, nothing queued)";
            options.result(new Comparison(name, "files/s", ours, samples.get(2), PEER_WALK_GOAL));
        }
    }

    private void evict(LoopVolume volume, Reference reference, String cell, Trigger trigger) throws Exception {
        EvictSide ours = side("evict", evictor, volume, reference, trigger, LoopVolume::writableBytes);
        EvictInC inC = new EvictInC(volume, reference, threads, targetPercent, trigger);
        Optional<EvictSide> other =
                peer.map(command -> side("peer", command, volume, reference, trigger, LoopVolume::totalBytes));
        List<Side> sides = new ArrayList<>(List.of(ours, inC));
        other.ifPresent(sides::add);
        List<Samples> samples = options.rounds().run(sides, System::nanoTime);
        String name = "evict, " + cell;
        Samples first = samples.getFirst();
        options.result(
                new Comparison(name + " (" + trigger.wordsInC() + ")", "files/s", first, samples.get(1), EVICT_GOAL));
        if (other.isPresent()) {
            options.result(new Comparison(
                    name + " (" + trigger.words() + ")", "files/s", first, samples.get(2), PEER_EVICT_GOAL));
        }
        String end = ", " + cell + ", " + trigger;
        options.result(new Absolute("first unlink" + end, "s", firstUnlink(ours), FIRST_UNLINK_GOAL));
        options.result(new Absolute("resident" + end, "MiB", resident(ours), RESIDENT_GOAL));
        options.result(
                new Absolute("victims not of the coldest" + end, "%", notOfTheColdest(ours), NOT_COLDEST_GOAL_PERCENT));
        options.result(new Absolute(
                "below the target when it is over, batches of " + EvictSide.BATCH + end,
                "batches",
                batchesBelow(ours),
                BELOW_GOAL_BATCHES));
        tell(ours, end);
        other.ifPresent(side -> tell(side, end));
    }

    private void tell(EvictSide side, String end) {
        options.note(side.name() + end + ": to the target "
                + median(side, EvictSide.Run::targetSeconds).text("s") + ", of processor time "
                + median(side, EvictSide.Run::cpuSeconds).text("s") + "; first unlink "
                + firstUnlink(side).text("s") + "; resident " + resident(side).text("MiB")
                + "; of the victims not of the coldest "
                + notOfTheColdest(side).text("%") + "; below the target when it was over "
                + median(side, EvictSide.Run::filesBelow).text("files") + ", at most "
                + Math.round(side.runs().stream()
                        .mapToDouble(EvictSide.Run::filesBelow)
                        .max()
                        .orElseThrow())
                + " (" + batchesBelow(side).text("batches") + ")");
    }

    private static MedianInterval firstUnlink(EvictSide side) {
        return median(side, EvictSide.Run::firstUnlinkSeconds);
    }

    private static MedianInterval resident(EvictSide side) {
        return median(side, EvictSide.Run::residentMib);
    }

    private static MedianInterval batchesBelow(EvictSide side) {
        return median(side, run -> run.filesBelow() / EvictSide.BATCH);
    }

    private static MedianInterval notOfTheColdest(EvictSide side) {
        return MedianInterval.of(
                side.victims().stream().mapToDouble(Victims::missedPercent).toArray());
    }

    private static MedianInterval median(EvictSide side, ToDoubleFunction<EvictSide.Run> of) {
        return MedianInterval.of(side.runs().stream().mapToDouble(of).toArray());
    }

    private static List<String> words(String command) {
        return Arrays.asList(command.split(" +", -1));
    }

    private EvictSide side(
            String name,
            String command,
            LoopVolume volume,
            Reference reference,
            Trigger trigger,
            EvictSide.Capacity capacity) {
        EvictSide side = new EvictSide(
                name, words(command), volume, reference, threads, targetPercent, trigger, settleMillis, capacity);
        evictors.add(side);
        return side;
    }

    /** What is left to do when a signal ends the benchmark: nothing of an evictor or a volume stays behind. */
    private void undo(Path folder) {
        evictors.forEach(EvictSide::kill);
        try {
            if (Files.exists(folder)) {
                LoopVolume.detach(folder);
                delete(folder);
            }
        } catch (IOException | UncheckedIOException | InterruptedException e) {
            options.note("not all of " + folder + " could be taken away: " + e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
