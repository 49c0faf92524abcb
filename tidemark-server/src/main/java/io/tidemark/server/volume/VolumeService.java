package io.tidemark.server.volume;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.volume.RehearsalSum;
import io.tidemark.core.volume.RootGuard;
import io.tidemark.core.volume.SweepMode;
import io.tidemark.core.volume.VolumeConfig;
import io.tidemark.core.volume.VolumeStatus;
import io.tidemark.core.volume.VolumeSweeper;
import io.tidemark.server.machine.SocketOwner;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.zeromq.ZMQException;

/**
 * The evictor as a process: main role, crawlers P1..PN, activator, deleters, folder cleaner. {@link #run} returns when
 * {@link #stop} is called, within two seconds whatever the volume does.
 */
public final class VolumeService {
    private static final long MOUNT_WAIT_SECONDS = 60;
    private static final long MOUNT_POLL_SECONDS = 2;
    private static final long SUPERVISE_MILLIS = 500;
    private static final long STATUS_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long STOP_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    private final VolumeOptions options;
    private final VolumeConfig config;
    private final DirectoryCalls calls;
    private final VolumeLog log;
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
        this.options = options;
        this.config = options.config();
        this.calls = calls;
        Optional<Path> file = Optional.of(options.get(VolumeSettings.LOG_FILE))
                .filter(name -> !name.isEmpty())
                .map(Path::of);
        this.log = new VolumeLog(
                out, json, options.get(VolumeSettings.LOG_LEVEL), file, Clock.system(ZoneId.systemDefault()));
    }

    /** Asks the process to end, and waits for it, at most two seconds. */
    public void stop() {
        stopping = true;
        stopped.countDown();
        try {
            if (!ended.await(STOP_NANOS * 2, TimeUnit.NANOSECONDS)) {
                log.main("WARNING", "a role is stuck in the kernel; leaving it behind");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs until {@link #stop}; the exit code. */
    public int run() throws InterruptedException {
        try {
            return startAndServe();
        } finally {
            ended.countDown();
        }
    }

    /**
     * Runs until the process is asked to end, and ends it: also when a thread is stuck in the kernel, which would hold up
     * an ordinary exit.
     */
    public void runAsProcess() throws InterruptedException {
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (main.isAlive()) {
                stop();
                Runtime.getRuntime().halt(0);
            }
        }));
        Runtime.getRuntime().halt(run());
    }

    private int startAndServe() throws InterruptedException {
        log.plain("PVC Evictor starting...");
        log.plain("Configuration loaded: PVC=" + config.mount() + ", Crawlers=" + config.crawlers() + ", DirCleanup="
                + (config.folderCleaning() ? "True" : "False") + ", Total Processes=" + processes());
        if (!awaitMount()) {
            return stopping ? 0 : 1;
        }
        Optional<String> refusal = refusal();
        if (refusal.isPresent()) {
            log.main("ERROR", refusal.get());
            return 1;
        }
        banner();
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

    private int processes() {
        return config.crawlers() + (config.folderCleaning() ? 3 : 2);
    }

    private boolean awaitMount() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOUNT_WAIT_SECONDS);
        if (!Files.isDirectory(config.mount())) {
            log.main(
                    "WARNING",
                    "waiting up to " + MOUNT_WAIT_SECONDS + " s for " + options.origin(VolumeSettings.MOUNT) + "='"
                            + config.mount() + "', which is not there");
        }
        while (!Files.isDirectory(config.mount())) {
            if (System.nanoTime() - end >= 0) {
                log.main(
                        "ERROR",
                        "PVC mount path does not exist after " + MOUNT_WAIT_SECONDS + "s: " + config.mount()
                                + "; expected " + options.origin(VolumeSettings.MOUNT)
                                + " to name the folder where the volume is mounted");
                return false;
            }
            if (stopped.await(MOUNT_POLL_SECONDS, TimeUnit.SECONDS)) {
                return false;
            }
        }
        log.main("INFO", "PVC mount path is ready: " + config.mount());
        return true;
    }

    private Optional<String> refusal() {
        Optional<String> whole = VolumePlaces.wholeMachine(options);
        if (whole.isPresent()) {
            return whole;
        }
        for (Path folder : List.of(config.mount(), config.mount().resolve(config.cacheDirectory()))) {
            try {
                Optional<Path> weights = RootGuard.weightsIn(folder);
                if (weights.isPresent()) {
                    return Optional.of(weights.get() + " is a model's weights: " + folder
                            + " is no cache, and nothing in it will be removed");
                }
            } catch (IOException e) {
                return Optional.of("cannot list " + folder + ": " + e);
            }
        }
        return Optional.empty();
    }

    private void banner() {
        log.main(
                "INFO",
                "PVC Cleanup Service (N+2-Process Architecture: " + processes() + " total processes) initialized");
        log.main("INFO", "  Mount Path: " + config.mount());
        log.main("INFO", "  Cache Directory: " + config.cacheDirectory());
        int n = config.crawlers();
        log.main("INFO", "  Crawler Processes: " + n + " (P1-P" + n + ")");
        log.main(
                "INFO",
                "  Activator Process: P" + (n + 1) + " (monitoring every " + options.get(VolumeSettings.INTERVAL)
                        + "s)");
        log.main("INFO", "  Deleter Process: P" + (n + 2) + " (batch size: " + config.batch() + ")");
        if (config.folderCleaning()) {
            log.main("INFO", "  Folder Cleaner Process: P" + (n + 3) + " (background empty-dir removal)");
        }
        log.main("INFO", "  Cleanup Threshold: " + config.thresholds().cleanup() + "%");
        log.main("INFO", "  Target Threshold: " + config.thresholds().target() + "%");
        log.main(
                "INFO",
                "  File Queue: MINQ=" + config.queueMin() + " (pre-fill when OFF), MAXQ=" + config.queueMax()
                        + " (max when ON)");
        if (config.mode() != SweepMode.RUN) {
            log.main("WARNING", "  " + config.mode() + ": nothing will be removed");
        }
        log.plain("PVC Evictor initialized, starting coordination loop...");
        log.main("INFO", "Starting " + processes() + "-process evictor service...");
    }

    private int serve(DeleteEvents events) throws InterruptedException {
        Clocks clocks = Clocks.system();
        Path cache = config.mount().resolve(config.cacheDirectory());
        VolumeSweeper sweeper = new VolumeSweeper(
                config, calls, clocks, new ModelNames(cache)::of, new LogListener(log, events, config, clocks));
        Optional<VolumeHttp> http;
        try {
            http = http(sweeper, events);
        } catch (IOException | VolumeSettingException e) {
            log.main(
                    "ERROR",
                    options.origin(VolumeSettings.HTTP) + "='" + options.get(VolumeSettings.HTTP)
                            + "': cannot serve health and metrics there: " + e.getMessage()
                            + holder(options.get(VolumeSettings.HTTP)));
            return 1;
        }
        List<RoleThread> roles = start(sweeper);
        long nextStatus = System.nanoTime() + STATUS_NANOS;
        while (!stopped.await(SUPERVISE_MILLIS, TimeUnit.MILLISECONDS)) {
            roles.forEach(RoleThread::reviveIfDead);
            if (System.nanoTime() - nextStatus >= 0) {
                log.main("INFO", StatusBlock.of(sweeper.status(), config.folderCleaning()));
                nextStatus += STATUS_NANOS;
            }
        }
        stopRoles(sweeper, roles);
        http.ifPresent(VolumeHttp::close);
        return 0;
    }

    private Optional<VolumeHttp> http(VolumeSweeper sweeper, DeleteEvents events) throws IOException {
        String address = options.get(VolumeSettings.HTTP);
        if (address.isEmpty()) {
            return Optional.empty();
        }
        HttpServer server;
        String taken = "";
        try {
            server = VolumeHttp.bind(address, options.get(VolumeSettings.HTTP_OPEN));
        } catch (BindException e) {
            if (options.isGiven(VolumeSettings.HTTP)) {
                throw e;
            }
            taken = address + " is taken" + holder(address);
            server = VolumeHttp.bind(address.replaceFirst("\\d+$", "0"), false);
        }
        VolumeHttp http = new VolumeHttp(server, sweeper, events::sent);
        String own = server.getAddress().getHostString() + ":" + http.port();
        if (!taken.isEmpty()) {
            log.main(
                    "WARNING",
                    taken + ", so health and metrics of this evictor are elsewhere: tidemark volume status --address "
                            + own + ", or METRICS_ADDRESS=HOST:PORT");
        }
        log.main("INFO", "Health and metrics at http://" + own);
        return Optional.of(http);
    }

    /** Who listens where nobody else can; empty when that cannot be seen. */
    private static String holder(String address) {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return port == 0
                ? ""
                : SocketOwner.ofTcp(port)
                        .map(owner -> " (held by " + owner + ")")
                        .orElse("");
    }

    private List<RoleThread> start(VolumeSweeper sweeper) {
        List<RoleThread> roles = new ArrayList<>();
        int n = config.crawlers();
        for (int i = 0; i < n; i++) {
            int number = i;
            log.main("INFO", "Started crawler P" + (i + 1) + " " + range(i, n));
            roles.add(role("crawler_" + (i + 1), i + 1, () -> sweeper.crawler(number)));
        }
        roles.add(role("activator", n + 1, () -> sweeper::activatorStep));
        log.main("INFO", "Started activator P" + (n + 1));
        for (int i = 0; i < config.deletersMax(); i++) {
            int number = i;
            roles.add(role("deleter", n + 2, () -> sweeper.deleter(number)));
        }
        log.main("INFO", "Started deleter P" + (n + 2));
        roles.add(role("conductor", 0, () -> sweeper::conductorStep));
        roles.add(role("keeper", 0, () -> () -> {
            sweeper.keeperStep();
            TimeUnit.MILLISECONDS.sleep(KEEPER_MILLIS);
        }));
        if (config.folderCleaning()) {
            roles.add(role("folder_cleaner", n + 3, () -> () -> {
                if (!sweeper.folderStep()) {
                    TimeUnit.MILLISECONDS.sleep(FOLDER_IDLE_MILLIS);
                }
            }));
            log.main("INFO", "Started folder cleaner P" + (n + 3));
        }
        return roles;
    }

    private static final long FOLDER_IDLE_MILLIS = 200;
    private static final long KEEPER_MILLIS = 100;

    private static String range(int crawler, int crawlers) {
        int width = 16 / crawlers;
        int from = crawler * width;
        int to = from + width - 1;
        return String.format(Locale.ROOT, "(hex %%16 in [%d, %d], hex: '%s'-'%s')", from, to, hex(from), hex(to));
    }

    private static String hex(int digit) {
        return Integer.toHexString(digit);
    }

    private RoleThread role(String name, int process, Supplier<VolumeSweeper.RoleStep> role) {
        return new RoleThread(name, process, role, () -> stopping, log);
    }

    private void stopRoles(VolumeSweeper sweeper, List<RoleThread> roles) throws InterruptedException {
        log.main("INFO", "Received shutdown signal, stopping all processes...");
        sweeper.stop();
        roles.forEach(RoleThread::interrupt);
        long end = System.nanoTime() + STOP_NANOS;
        for (RoleThread role : roles) {
            role.join(end);
        }
        release(sweeper, end);
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

    /** Gives the leases up, on a thread that may be left behind when the volume hangs. */
    private static void release(VolumeSweeper sweeper, long untilNanos) throws InterruptedException {
        Thread releasing = Thread.ofPlatform().daemon().name("volume-release").start(sweeper::release);
        releasing.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime())));
    }
}
