package io.tidemark.server.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.volume.RehearsalSum;
import io.tidemark.core.volume.SweepMode;
import io.tidemark.core.volume.VolumeConfig;
import io.tidemark.core.volume.VolumeStatus;
import io.tidemark.core.volume.VolumeSweeper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.zeromq.ZMQException;

/**
 * The evictor as a process: main role, crawlers P1..PN, activator, deleters, folder cleaner. {@link #run} returns when
 * {@link #stop} is called, within two seconds whatever the volume does.
 */
public final class VolumeService {
    private static final long SUPERVISE_MILLIS = 500;
    private static final long STATUS_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long STOP_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    /** How long the end waits for the file of the log. */
    private static final long LOG_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /** How long the end waits for stdout to take a line. */
    private static final long SAY_MILLIS = 50;

    private static final String SHUTDOWN = "Received shutdown signal, stopping all processes...";

    private final VolumeOptions options;
    private final VolumeConfig config;
    private final DirectoryCalls calls;
    private final VolumeLog log;
    private final StartLines lines;
    private final long statusNanos;
    private final StatusRhythm rhythm;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopping;

    /** The process, with log and status lines in the form of the evictor of old. */
    public VolumeService(VolumeOptions options, DirectoryCalls calls, PrintStream out) {
        this(options, calls, out, false);
    }

    /**
     * The process.
     *
     * @param out where log and status lines go
     * @param json whether each of them is a JSON object
     */
    public VolumeService(VolumeOptions options, DirectoryCalls calls, PrintStream out, boolean json) {
        this(options, calls, out, json, STATUS_NANOS);
    }

    /** The process, which says its status so often. */
    VolumeService(VolumeOptions options, DirectoryCalls calls, PrintStream out, boolean json, long statusNanos) {
        this.statusNanos = statusNanos;
        this.options = options;
        this.config = options.config();
        this.rhythm = new StatusRhythm(options.get(VolumeSettings.STATUS_LINES));
        this.calls = calls;
        Optional<Path> file = Optional.of(options.get(VolumeSettings.LOG_FILE))
                .filter(name -> !name.isEmpty())
                .map(Path::of);
        this.log = new VolumeLog(
                out, json, options.get(VolumeSettings.LOG_LEVEL), file, Clock.system(ZoneId.systemDefault()));
        this.lines =
                new StartLines(log, config, options.get(VolumeSettings.INTERVAL), options.get(VolumeSettings.LAYOUT));
    }

    /** Asks the process to end, and waits for it, at most two seconds, also where stdout takes nothing. */
    public void stop() {
        try {
            try {
                say("INFO", SHUTDOWN);
            } finally {
                stopping = true;
                stopped.countDown();
            }
            if (!ended.await(STOP_NANOS * 2, TimeUnit.NANOSECONDS)) {
                say("WARNING", "a role is stuck in the kernel; leaving it behind");
                log.close(LOG_NANOS / 2);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says something of the end, and does not wait for whoever reads no line: a role may be stuck with one already. */
    private void say(String level, String text) throws InterruptedException {
        Thread.ofPlatform()
                .daemon()
                .name("volume-end")
                .start(() -> log.main(level, text))
                .join(SAY_MILLIS);
    }

    /** Runs until {@link #stop}; the exit code. */
    public int run() throws InterruptedException {
        try {
            return startAndServe();
        } finally {
            closeLog();
        }
    }

    /** An interruption ends the waiting for the file, and the process has ended all the same. */
    private void closeLog() throws InterruptedException {
        try {
            log.close(LOG_NANOS);
        } finally {
            ended.countDown();
        }
    }

    /**
     * Runs until the process is asked to end, and ends it: also when a thread is stuck in the kernel, which would hold up
     * an ordinary exit.
     */
    public void runAsProcess() throws InterruptedException {
        EndSignals.listen().stopBy(this::stop);
        Runtime.getRuntime().halt(run());
    }

    private int startAndServe() throws InterruptedException {
        lines.starting();
        try (DeleteEvents events = events()) {
            return serve(events);
        }
    }

    private DeleteEvents events() {
        String endpoint = options.get(VolumeSettings.EVENTS);
        if (endpoint.isEmpty() || config.mode() != SweepMode.RUN) {
            return DeleteEvents.NONE;
        }
        try {
            return new ZmqEvents(endpoint, options.get(VolumeSettings.MEDIUM), config.batch(), Clocks.system());
        } catch (ZMQException | IllegalArgumentException e) {
            log.main("WARNING", "no delete events: cannot bind " + endpoint + ": " + e);
            return DeleteEvents.NONE;
        }
    }

    /** Answers probes first: they are to be answered whatever the volume does. */
    private int serve(DeleteEvents events) throws InterruptedException {
        Clocks clocks = Clocks.system();
        Path cache = config.mount().resolve(config.cacheDirectory());
        VolumeSweeper sweeper = VolumeSweeper.of(
                config, calls, clocks, new ModelNames(cache)::of, new LogListener(log, events, config, clocks));
        MetricsAddress address = new MetricsAddress(options, log);
        Optional<VolumeHttp> http;
        try {
            http = address.serve(sweeper, events);
        } catch (IOException | VolumeSettingException e) {
            log.main("ERROR", address.failure(e));
            return 1;
        }
        try {
            if (!new StartChecks(options, log, address::tell).pass(stopped)) {
                return stopping ? 0 : 1;
            }
            lines.initialized();
            address.tell();
            sweep(sweeper);
            return 0;
        } finally {
            http.ifPresent(VolumeHttp::close);
        }
    }

    private void sweep(VolumeSweeper sweeper) throws InterruptedException {
        RoleThreads roles = new RoleThreads(sweeper, log, () -> stopping);
        roles.start(config, lines);
        long nextStatus = System.nanoTime() + statusNanos;
        while (!stopped.await(SUPERVISE_MILLIS, TimeUnit.MILLISECONDS)) {
            roles.reviveDead();
            log.tellIfFileIsLate();
            if (System.nanoTime() - nextStatus >= 0) {
                VolumeStatus status = sweeper.status();
                if (rhythm.isToBeWritten(status, System.nanoTime())) {
                    log.main("INFO", StatusBlock.of(status, config.folderCleaning()));
                }
                nextStatus += statusNanos;
            }
        }
        roles.stop(System.nanoTime() + STOP_NANOS);
        sayGoodbye(sweeper);
    }

    private void sayGoodbye(VolumeSweeper sweeper) {
        VolumeStatus last = sweeper.status();
        int deleter = config.crawlers() + 2;
        RehearsalSum rehearsal = sweeper.rehearsal();
        if (rehearsal.files() > 0) {
            String label = DeletionLines.label(config.mode());
            long now = Clocks.system().wallMillis() / 1000;
            log.line(deleter, "deleter", "INFO", DeletionLines.sum(rehearsal, now, label) + "; not at the target yet");
        }
        log.line(
                deleter,
                "deleter",
                "INFO",
                "Deleter P" + deleter + " stopping - deleted " + last.removedFiles() + " files, "
                        + StatusBlock.gib(last.removedBytes()) + " freed");
        log.main("INFO", "All processes stopped");
    }
}
