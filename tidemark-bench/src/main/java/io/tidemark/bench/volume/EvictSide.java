package io.tidemark.bench.volume;

import io.tidemark.bench.harness.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An evictor as a process of its own on a fresh volume: from its {@link Trigger} to the moment when the volume is down at
 * the target. Files a second. It goes on until it says that its deletion is over and nothing goes any more, so that what it
 * takes below the target is seen too.
 */
final class EvictSide implements Side {
    private static final long POLL_NANOS = 2_000_000;
    private static final long PATIENCE_SECONDS = 300;
    private static final long STOP_MILLIS = 5_000;

    /** Files removed between two looks at the usage. */
    static final int BATCH = 100;

    /** For how long nothing goes of an evictor that is done. */
    private static final long STILL_NANOS = 500_000_000;

    /** Where deletion begins of an evictor that is started on a full volume. */
    private static final double CLEANUP_PERCENT = 85;

    private final String name;
    private final List<String> command;
    private final LoopVolume volume;
    private final Reference reference;
    private final int threads;
    private final double targetPercent;
    private final Trigger trigger;
    private final long settleMillis;
    private final Capacity capacity;
    private final List<Run> runs = new ArrayList<>();
    private final List<Victims> victims = new ArrayList<>();
    private Optional<long[]> uses = Optional.empty();
    private volatile Optional<ProcessTree> running = Optional.empty();

    /**
     * A side.
     *
     * @param settleMillis how long the evictor runs before the volume is filled
     * @param capacity what the evictor takes percents of
     */
    EvictSide(
            String name,
            List<String> command,
            LoopVolume volume,
            Reference reference,
            int threads,
            double targetPercent,
            Trigger trigger,
            long settleMillis,
            Capacity capacity) {
        this.name = name;
        this.command = List.copyOf(command);
        this.volume = volume;
        this.reference = reference;
        this.threads = threads;
        this.targetPercent = targetPercent;
        this.trigger = trigger;
        this.settleMillis = settleMillis;
        this.capacity = capacity;
    }

    /** The whole of a volume, as an evictor counts it. */
    interface Capacity {
        long bytes(LoopVolume volume) throws IOException;
    }

    /**
     * One run.
     *
     * @param firstUnlinkSeconds from the trigger until the volume got emptier
     * @param targetSeconds from the trigger to the target
     * @param residentMib largest resident set, see {@link ProcessTree#residentMib}
     * @param cpuSeconds processor time until then
     * @param filesBelow how many files it has gone below the target in the end, as it counts the volume
     */
    record Run(
            double firstUnlinkSeconds,
            double targetSeconds,
            double residentMib,
            double cpuSeconds,
            double filesBelow) {}

    @Override
    public String name() {
        return name;
    }

    /** The runs so far, the warm-up's too. */
    List<Run> runs() {
        return List.copyOf(runs);
    }

    /** What the runs took. */
    List<Victims> victims() {
        return List.copyOf(victims);
    }

    @Override
    public double measure() throws Exception {
        volume.fresh();
        long[] usesBefore = uses.isPresent() ? uses.get() : reference.lastUses(volume.cache(), threads);
        uses = Optional.of(usesBefore);
        reference.walk(volume.cache(), threads);
        long before = volume.usedBytes();
        double cleanup = CLEANUP_PERCENT;
        if (trigger == Trigger.FILL) {
            double full = volume.usedPercent();
            volume.lighten();
            cleanup = (full + volume.usedPercent()) / 2;
        }
        Path log = Files.createTempFile("evictor", ".log");
        ProcessTree evictor = start(log, cleanup);
        running = Optional.of(evictor);
        Run run;
        try {
            run = watch(evictor, log, before);
        } finally {
            evictor.stop(STOP_MILLIS);
            running = Optional.empty();
            Files.delete(log);
        }
        runs.add(run);
        victims.add(Victims.of(usesBefore, reference.lastUses(volume.cache(), threads)));
        return (before - volume.totalBytes() * targetPercent / 100) / LoopVolume.fileBytes() / run.targetSeconds;
    }

    /** Kills the evictor if it runs. For a benchmark that ends early. */
    void kill() {
        running.ifPresent(ProcessTree::kill);
    }

    private ProcessTree start(Path log, double cleanupPercent) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("PVC_MOUNT_PATH", volume.mountPoint().toString());
        environment.put("CACHE_DIRECTORY", volume.cacheDirectory());
        environment.put("NUM_CRAWLER_PROCESSES", Integer.toString(threads));
        environment.put("CLEANUP_THRESHOLD", Double.toString(cleanupPercent));
        environment.put("TARGET_THRESHOLD", Double.toString(targetPercent));
        environment.put("DELETION_BATCH_SIZE", Integer.toString(BATCH));
        environment.put("CHECK_INODES", "false");
        environment.put("METRICS_ADDRESS", "");
        environment.put("PYTHONUNBUFFERED", "1");
        return new ProcessTree(builder.start());
    }

    /** Waits for the trigger; the moment it came. */
    private long triggered(ProcessTree evictor, Path log, long deadline) throws IOException, InterruptedException {
        switch (trigger) {
            case START -> {
                while (!Files.readString(log).contains("DELETION_START")) {
                    await(evictor, log, deadline);
                }
            }
            case FILL -> {
                TimeUnit.MILLISECONDS.sleep(settleMillis);
                if (!evictor.isAlive() || Files.readString(log).contains("DELETION_START")) {
                    throw new IOException("not running below its mark: " + Files.readString(log));
                }
                volume.fill();
            }
        }
        return System.nanoTime();
    }

    private Run watch(ProcessTree evictor, Path log, long before) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        long goal = (long) (volume.totalBytes() * targetPercent / 100);
        long start = triggered(evictor, log, deadline);
        double usedCpu = evictor.cpuSeconds();
        while (volume.usedBytes() >= before) {
            await(evictor, log, deadline);
        }
        long first = System.nanoTime();
        while (volume.usedBytes() > goal) {
            await(evictor, log, deadline);
        }
        long end = System.nanoTime();
        double cpu = evictor.cpuSeconds() - usedCpu;
        long used = usedAtRest(evictor, log, deadline);
        double below = (capacity.bytes(volume) * targetPercent / 100 - used) / LoopVolume.fileBytes();
        return new Run((first - start) / 1e9, (end - start) / 1e9, evictor.residentMib(), cpu, below);
    }

    /** What is used once the evictor has said that its deletion is over, and the batches that it was at have gone. */
    private long usedAtRest(ProcessTree evictor, Path log, long deadline) throws IOException {
        while (!Files.readString(log).contains("DELETION_END")) {
            await(evictor, log, deadline);
        }
        long used = volume.usedBytes();
        long since = System.nanoTime();
        while (System.nanoTime() - since < STILL_NANOS) {
            await(evictor, log, deadline);
            long now = volume.usedBytes();
            if (now < used) {
                used = now;
                since = System.nanoTime();
            }
        }
        return used;
    }

    private static void await(ProcessTree evictor, Path log, long deadline) throws IOException {
        if (!evictor.isAlive() || System.nanoTime() - deadline > 0) {
            throw new IOException("the evictor did not get there: " + Files.readString(log));
        }
        LockSupport.parkNanos(POLL_NANOS);
    }
}
