package io.tidemark.server;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolStatus;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.http.AdminServer;
import io.tidemark.server.machine.FileTrouble;
import io.tidemark.server.machine.MemoryLimits;
import io.tidemark.server.machine.SocketOwner;
import io.tidemark.server.machine.ThreadLimits;
import io.tidemark.server.metrics.CounterSource;
import io.tidemark.server.metrics.ProcessCounters;
import io.tidemark.server.metrics.SummaryLine;
import io.tidemark.server.metrics.UmbpNames;
import io.tidemark.server.record.RecordOptions;
import io.tidemark.server.record.Recorder;
import io.tidemark.server.record.UseListener;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.Lookups;
import io.tidemark.server.resp.RespListener;
import io.tidemark.server.resp.RespServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running server: state directory, admin port, pool and Redis listeners, started in this order and stopped in the
 * reverse one. Readiness is the last thing to come and the first to go.
 *
 * <p>Started and stopped by one thread; what the admin port shows may be read by any.
 */
public final class TidemarkServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TidemarkServer.class);
    private static final long CLOSE_MILLIS = 1_000;

    private final String version;
    private final Lifecycle lifecycle = new Lifecycle();
    private final List<CounterSource> counters = new CopyOnWriteArrayList<>();
    /** What was started, last first. */
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    /** What of it is being stopped. */
    private volatile Optional<AutoCloseable> stopping = Optional.empty();

    private volatile @Nullable Pool pool;
    private volatile Endpoints endpoints;
    private volatile @Nullable RespServer resp;

    private TidemarkServer(String version) {
        this.version = version;
        endpoints = new Endpoints(ProcessHandle.current().pid(), version, List.of(), List.of(), "");
    }

    /**
     * Starts a server. A start that fails takes back what it had done.
     *
     * @param version what clients are told
     * @param cancelled asked between steps; true ends the start with {@link StartException}
     */
    public static TidemarkServer start(TidemarkConfig config, String version, BooleanSupplier cancelled)
            throws StartException {
        TidemarkServer server = new TidemarkServer(version);
        boolean serving = false;
        try {
            server.open(config, cancelled);
            serving = true;
            return server;
        } catch (OutOfMemoryError e) {
            if (!ThreadNeed.isRefused(e)) {
                throw e;
            }
            ThreadNeed need = ThreadNeed.of(config, Runtime.getRuntime().availableProcessors());
            throw new StartException(need.refusal(ThreadLimits.ofMachine().tightest()), e);
        } finally {
            if (!serving) {
                server.close();
            }
        }
    }

    private void open(TidemarkConfig config, BooleanSupplier cancelled) throws StartException {
        StateDir stateDir = StateDir.open(NativeSys.INSTANCE, config.stateDir());
        started.push(stateDir);
        MemoryBudget budget = MemoryBudget.ofThisJvm(config);
        TierPlan tiers = budget.fit(config.tiers(), MemoryLimits.ofMachine().tightest());
        budget.checkHeap(tiers, config.limits().indexBytes());
        if (tiers.dramBytes() < config.tiers().dramBytes()) {
            LOG.warn(
                    "memory for blocks is {} and not the default {}: more does not fit this machine or its cgroup",
                    ByteSize.rounded(tiers.dramBytes()),
                    ByteSize.rounded(config.tiers().dramBytes()));
        }
        counters.add(new ProcessCounters(version, lifecycle::serving));
        TidemarkConfig fitted = config.withTiers(tiers);
        SsdFolder.makeOurs(fitted);
        SsdStart ssds = SsdStart.begin(NativeSys.INSTANCE, fitted);
        started.push(ssds);
        AdminServer admin = startAdmin(config.http());
        goOn(cancelled);
        PoolWiring.Opened wired = PoolWiring.open(fitted, ssds, cancelled);
        Pool opened = wired.pool();
        started.push(opened);
        counters.add(opened::counters);
        if (config.umbpNames()) {
            counters.add(new UmbpNames(opened::counters, opened::status));
        }
        pool = opened;
        goOn(cancelled);
        RespServer listening = RespWiring.start(opened, config, version, startRecorder(config));
        resp = listening;
        started.push(listening);
        counters.add(listening::counters);
        started.push(SummaryLine.every(config.log().summaryMillis(), opened));
        announce(stateDir, config, listening, admin);
        goOn(cancelled);
        lifecycle.advance(Lifecycle.Phase.SERVING);
        wired.memory().forEach(DramMedium::touchAll);
    }

    /** What hears of each use of a block: nobody, unless a recording was asked for. */
    private UseListener startRecorder(TidemarkConfig config) throws StartException {
        if (config.record().isEmpty()) {
            return UseListener.NONE;
        }
        RecordOptions options = config.record().get();
        try {
            Recorder recorder = Recorder.start(
                    options, System::currentTimeMillis, Clocks.system().monotonicNanos());
            started.push(recorder);
            counters.add(recorder::counters);
            LOG.info("recording uses of blocks to {}", options.file());
            return recorder;
        } catch (IOException e) {
            throw new StartException("cannot record to " + options.file() + ": " + FileTrouble.reason(e), e);
        }
    }

    private static void goOn(BooleanSupplier cancelled) throws StartException {
        if (cancelled.getAsBoolean()) {
            throw StartException.cancelled();
        }
    }

    private AdminServer startAdmin(TidemarkConfig.Http http) throws StartException {
        AdminRoutes routes = new AdminRoutes(
                lifecycle, this::sickness, this::losses, () -> endpoints, this::lookups, this::counters);
        try {
            AdminServer admin = bindAdmin(http, routes);
            started.push(admin);
            return admin;
        } catch (IOException e) {
            throw new StartException(
                    "cannot listen on " + http.bind() + ":" + http.port() + " for HTTP: " + e.getMessage()
                            + SocketOwner.ofTcp(http.port())
                                    .map(owner -> " (held by " + owner + ")")
                                    .orElse(""),
                    e);
        }
    }

    private AdminServer bindAdmin(TidemarkConfig.Http http, AdminRoutes routes) throws IOException {
        try {
            return AdminServer.start(
                    new InetSocketAddress(http.bind(), http.port()), routes.routes(this::findPool), http.token());
        } catch (BindException e) {
            if (!http.movable()) {
                throw e;
            }
            LOG.warn(
                    "port {} is taken{}; the admin port moves to a free one",
                    http.port(),
                    SocketOwner.ofTcp(http.port()).map(owner -> " by " + owner).orElse(""));
            return AdminServer.start(
                    new InetSocketAddress(http.bind(), 0), routes.routes(this::findPool), http.token());
        }
    }

    private Optional<String> sickness() {
        if (lifecycle.phase() == Lifecycle.Phase.STOPPING) {
            return Optional.empty(); // threads end then, as they should
        }
        return Optional.ofNullable(resp)
                .flatMap(RespServer::sickness)
                .or(() -> findPool().map(PoolHealth::of).flatMap(PoolHealth::sickness));
    }

    private List<String> losses() {
        return findPool().map(PoolHealth::of).map(PoolHealth::losses).orElse(List.of());
    }

    private Lookups lookups() {
        return Optional.ofNullable(resp).map(RespServer::lookups).orElse(Lookups.NONE);
    }

    private Optional<Pool> findPool() {
        return Optional.ofNullable(pool);
    }

    /** Writes down where the server is. */
    private void announce(StateDir stateDir, TidemarkConfig config, RespServer listening, AdminServer admin)
            throws StartException {
        try {
            List<String> redis = new ArrayList<>();
            List<String> sockets = new ArrayList<>();
            List<RespListener> listeners = config.redis().listeners();
            for (int index = 0; index < listeners.size(); index++) {
                if (listeners.get(index).address() instanceof ListenAddress.Tcp tcp) {
                    redis.add((tcp.tls() ? "rediss://" : "")
                            + hostPort(tcp.host(), listening.port(index).orElse(tcp.port())));
                } else {
                    sockets.add(listeners.get(index).address().toString());
                }
            }
            String http =
                    "http://" + hostPort(config.http().bind(), admin.address().getPort());
            endpoints = new Endpoints(ProcessHandle.current().pid(), version, redis, sockets, http);
            stateDir.publish(endpoints);
        } catch (IOException e) {
            throw new StartException(
                    "cannot write to state directory " + config.stateDir() + ": " + FileTrouble.reason(e), e);
        }
    }

    private static String hostPort(String host, int port) {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /** Where the server can be reached. */
    public Endpoints endpoints() {
        return endpoints;
    }

    /** Shows every counter and gauge of the server, as {@code /metrics} does. */
    public void counters(CounterVisitor visitor) {
        counters.forEach(source -> source.counters(visitor));
    }

    /** What the pool holds now. */
    public PoolStatus status() {
        return findPool()
                .orElseThrow(() -> new IllegalStateException("not started"))
                .status();
    }

    /**
     * Stops: readiness goes false, commands under way get {@code drainMillis} to finish, then everything closes.
     * Idempotent.
     */
    public void stop(long drainMillis) {
        lifecycle.advance(Lifecycle.Phase.STOPPING);
        while (!started.isEmpty()) {
            AutoCloseable step = started.pop();
            stopping = Optional.of(step);
            long begun = System.nanoTime();
            attempt(step instanceof RespServer listening ? () -> listening.stop(drainMillis) : step);
            LOG.debug("{} closed in {} ms", step.getClass().getSimpleName(), (System.nanoTime() - begun) / 1_000_000);
        }
    }

    /** What a stop is at that does not come to its end, what is left of it, and what that means. */
    public String unfinished() {
        return stopping.map(this::unfinished).orElse("nothing had been stopped yet");
    }

    private String unfinished(AutoCloseable step) {
        if (step instanceof RespServer clients) {
            return "clients were still served, " + clients.underWay() + "; what has no answer yet may be done or not";
        }
        if (step instanceof Pool closing) {
            return unfinished(closing);
        }
        if (step instanceof Recorder) {
            return "the recording was being written, and lacks its last uses";
        }
        return step.getClass().getSimpleName() + " was being closed";
    }

    private static String unfinished(Pool closing) {
        long moves = closing.status().transitions();
        String devices = String.join(", ", closing.unclosed());
        return "the pool was being closed"
                + (devices.isEmpty() ? "" : ", and calls to " + devices + " had not come back")
                + ", with " + moves + " moves between tiers and " + closing.unwrittenRecords()
                + " records unwritten; blocks in memory are gone as with every stop, those on SSD are there at the next start,"
                + " with some that were evicted last";
    }

    private static void attempt(AutoCloseable step) {
        try {
            step.close();
        } catch (Exception e) {
            LOG.warn("a part of the server did not stop well", e);
        }
    }

    @Override
    public void close() {
        stop(CLOSE_MILLIS);
    }
}
