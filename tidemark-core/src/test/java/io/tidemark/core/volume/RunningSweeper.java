package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.volume.VolumeSweeper.RoleStep;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A sweeper with a thread for each role. */
final class RunningSweeper implements AutoCloseable {
    final RecordingListener listener = new RecordingListener();
    final TestClocks clocks;
    final VolumeSweeper sweeper;
    private final List<Thread> threads = new ArrayList<>();
    private final Thread activator;
    private volatile boolean stopping;

    RunningSweeper(VolumeConfig config, DirectoryCalls calls, TestClocks clocks) {
        this.clocks = clocks;
        sweeper = VolumeSweeper.of(config, calls, clocks, path -> modelOf(path), listener);
        for (int i = 0; i < config.crawlers(); i++) {
            int number = i;
            revived(() -> sweeper.crawler(number));
        }
        for (int i = 0; i < config.deletersMax(); i++) {
            int number = i;
            revived(() -> sweeper.deleter(number));
        }
        role(sweeper::conductorStep);
        role(() -> {
            sweeper.keeperStep();
            TimeUnit.MILLISECONDS.sleep(5);
        });
        role(() -> {
            if (!sweeper.folderStep()) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        });
        activator = role(sweeper::activatorStep);
    }

    /** The model of {@code <name>_r<rank>} is its name. */
    private static Optional<String> modelOf(byte[] path) {
        return Optional.of(new String(path, StandardCharsets.UTF_8).replaceFirst("_r\\d+$", ""));
    }

    /** What a test throws to kill a role. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A role that is made anew when it is killed, as the process does it. */
    private void revived(Supplier<RoleStep> role) {
        RoleStep[] step = {role.get()};
        role(() -> {
            try {
                step[0].run();
            } catch (Killed e) {
                step[0] = role.get();
            }
        });
    }

    private Thread role(RoleStep step) {
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                while (!stopping) {
                    step.run();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        threads.add(thread);
        return thread;
    }

    /** Ends the activator as if it had died. */
    void killActivator() throws InterruptedException {
        activator.interrupt();
        activator.join();
    }

    boolean awaitEnded(long seconds) throws InterruptedException {
        return listener.ended.await(seconds, TimeUnit.SECONDS);
    }

    /** Waits until so many walks have ended. */
    void awaitPasses(long passes, long seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (sweeper.status().passes() < passes) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("no " + passes + " walks in " + seconds + " s: " + sweeper.status());
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Override
    public void close() {
        stopping = true;
        sweeper.stop();
        threads.forEach(Thread::interrupt);
        threads.forEach(RunningSweeper::join);
        sweeper.release();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Settings for a root in a temporary folder: marks 85 and 70, no age floor, small batches. */
    static VolumeConfig config(Path mount, UnaryOperator<Settings> change) {
        return change.apply(new Settings()).config(mount);
    }

    /** The settings that tests change. */
    static final class Settings {
        Layout layout = new FsLayout(3);
        RecencyRule recency = RecencyRule.MAX;
        Thresholds thresholds = new Thresholds(85, 70, 95, 0);
        SweepMode mode = SweepMode.RUN;
        int crawlers = 2;
        int deleters = 1;
        int batch = 10;
        int queueMax = 1_000;
        int readyBuffer = 10_000;
        boolean folders = true;
        long folderTtlSeconds = 120;
        long passSeconds = 600;
        long filesPerSecond;
        long intervalMillis = 20;
        boolean adopted;
        boolean leases;
        Map<String, Long> ttlSeconds = Map.of();
        Map<String, Long> quotaBytes = Map.of();

        private VolumeConfig config(Path mount) {
            return new VolumeConfig(
                    mount,
                    "cache",
                    layout,
                    recency,
                    thresholds,
                    crawlers,
                    deleters,
                    batch,
                    10,
                    queueMax,
                    readyBuffer,
                    folders,
                    folderTtlSeconds,
                    3_600,
                    intervalMillis,
                    passSeconds,
                    filesPerSecond,
                    ttlSeconds,
                    quotaBytes,
                    true,
                    adopted,
                    leases,
                    mode);
        }
    }
}
