package io.tidemark.server.resp;

import io.tidemark.core.medium.Workers;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.Pool;
import io.tidemark.server.record.UseListener;
import io.tidemark.server.resp.command.ArgumentSpace;
import io.tidemark.server.resp.command.Clients;
import io.tidemark.server.resp.command.Environment;
import io.tidemark.server.resp.command.Jobs;
import io.tidemark.server.resp.command.MissPadding;
import io.tidemark.server.resp.command.RespStats;
import io.tidemark.server.resp.command.ServerFacts;
import io.tidemark.server.resp.protocol.LoopBuffers;
import io.tidemark.server.resp.protocol.ReplyMemory;
import io.tidemark.server.resp.wire.TlsMaterial;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Redis protocol server: listeners, event loops and the connections they own. */
public final class RespServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RespServer.class);
    private static final long CLOSE_MILLIS = 1_000;
    private static final long MAX_TICK_MILLIS = 1_000;

    /** A loop turns every {@value #MAX_TICK_MILLIS} ms at least; one that has not for so long hangs. */
    private static final long MAX_STILL_MILLIS = 30_000;

    private final Environment environment;
    private final Jobs jobs;
    private final List<ServerSocket> sockets;
    private final List<EventLoop> loops;
    private final ReplyMemory replyMemory;

    private RespServer(
            Environment environment,
            Jobs jobs,
            ReplyMemory replyMemory,
            List<ServerSocket> sockets,
            List<EventLoop> loops) {
        this.environment = environment;
        this.jobs = jobs;
        this.replyMemory = replyMemory;
        this.sockets = sockets;
        this.loops = loops;
    }

    /** Binds every listener and serves {@code pool} on them. Throws, with nothing left open, when one cannot bind. */
    public static RespServer start(Pool pool, RespOptions options) throws IOException {
        return start(pool, options, UseListener.NONE);
    }

    /** As {@link #start(Pool, RespOptions)}, and tells {@code uses} of each use of a block. */
    public static RespServer start(Pool pool, RespOptions options, UseListener uses) throws IOException {
        Optional<TlsMaterial> tls = options.tls().isEmpty()
                ? Optional.empty()
                : Optional.of(TlsMaterial.of(
                        options.tls().get(),
                        Clocks.system()::monotonicNanos,
                        InstantSource.system(),
                        new Workers(1, 1, "tidemark-tls-")));
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (RespListener listener : options.listeners()) {
                sockets.add(ServerSocket.bind(listener));
            }
            return serve(pool, options, uses, tls, sockets);
        } catch (IOException e) {
            closeAll(sockets);
            throw e;
        }
    }

    private static RespServer serve(
            Pool pool, RespOptions options, UseListener uses, Optional<TlsMaterial> tls, List<ServerSocket> sockets)
            throws IOException {
        Jobs jobs = new Jobs(pool, options.limits().maxConnections());
        Clocks clocks = Clocks.system();
        Environment environment = new Environment(
                pool,
                clocks,
                new RespStats(),
                new Clients(),
                new MissPadding(),
                ArgumentSpace.ofThisJvm(),
                facts(options, sockets, clocks),
                jobs,
                uses);
        List<EventLoop> loops = new ArrayList<>();
        long tickMillis = Math.clamp(options.limits().stallMillis() / 4, 1, MAX_TICK_MILLIS);
        ReplyMemory replyMemory = new ReplyMemory(options.limits().replyBytes());
        LoopFailures failures = new LoopFailures(environment.stats());
        for (int i = 0; i < options.loops(); i++) {
            loops.add(new EventLoop("tidemark-resp-" + i, clocks, tickMillis, new LoopBuffers(replyMemory), failures));
        }
        ReadAhead readAhead = new ReadAhead(options.limits().readAheadBytes());
        ConnectionFactory factory =
                new ConnectionFactory(new Shared(environment, options.limits(), readAhead, tls), List.copyOf(loops));
        for (ServerSocket socket : sockets) {
            EventLoop loop = loops.getFirst();
            loop.add(new Acceptor(socket, loop, factory));
        }
        loops.forEach(EventLoop::start);
        return new RespServer(environment, jobs, replyMemory, List.copyOf(sockets), List.copyOf(loops));
    }

    private static ServerFacts facts(RespOptions options, List<ServerSocket> sockets, Clocks clocks)
            throws IOException {
        int port = 0;
        Map<String, String> config = new HashMap<>();
        for (ServerSocket socket : sockets) {
            port = port == 0 ? socket.port().orElse(0) : port;
            if (socket.listener().address() instanceof ListenAddress.UnixSocket unix) {
                config.putIfAbsent("unixsocket", unix.path().toString());
            }
        }
        RespLimits limits = options.limits();
        config.put("port", Integer.toString(port));
        config.put("maxclients", Integer.toString(limits.maxConnections()));
        config.put("maxmemory-policy", options.maxmemoryPolicy());
        config.put("timeout", Long.toString(limits.idleMillis() / 1_000));
        config.put("proto-max-bulk-len", Long.toString(limits.maxValueBytes()));
        return new ServerFacts(options.version(), limits.maxValueBytes(), port, clocks.monotonicNanos(), config);
    }

    /** The bound port of the listener with this index; empty for a Unix socket. */
    public OptionalInt port(int listener) throws IOException {
        return sockets.get(listener).port();
    }

    /**
     * Stops accepting, lets commands that are under way and replies that are queued finish for up to
     * {@code timeoutMillis}, then closes every connection.
     */
    public void stop(long timeoutMillis) throws IOException {
        try {
            closeAll(sockets);
        } finally {
            drain(timeoutMillis);
        }
    }

    private void drain(long timeoutMillis) {
        long endNanos = System.nanoTime() + timeoutMillis * 1_000_000;
        loops.forEach(loop -> loop.drain(endNanos));
        try {
            for (EventLoop loop : loops) {
                if (!loop.join((endNanos - System.nanoTime()) / 1_000_000 + CLOSE_MILLIS)) {
                    LOG.warn("an event loop of the Redis protocol has not ended within {} ms", timeoutMillis);
                }
            }
            jobs.close();
            long leftMillis = Math.max((endNanos - System.nanoTime()) / 1_000_000, 1);
            if (!jobs.awaitEnd(leftMillis)) {
                LOG.warn("a long command has not ended within {} ms", timeoutMillis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where long commands run. */
    Jobs jobs() {
        return jobs;
    }

    /** What is wrong with the threads that serve clients; nothing while they turn. */
    public Optional<String> sickness() {
        long now = environment.clocks().monotonicNanos();
        return loops.stream()
                .flatMap(loop -> loop.sickness(now, MAX_STILL_MILLIS).stream())
                .findFirst();
    }

    /** Shows the counters of the protocol: connections, commands, bytes, refusals. */
    public void counters(CounterVisitor visitor) {
        environment.stats().visit(visitor);
        jobs.show(visitor);
        visitor.gauge(
                "tidemark_resp_connected_clients",
                "Clients connected now.",
                environment.clients().count());
        visitor.gauge(
                "tidemark_resp_reply_bytes",
                "Direct memory lent to replies that have not left.",
                1.0 * replyMemory.lentBytes());
    }

    /** How often clients found what they asked for. */
    public Lookups lookups() {
        RespStats stats = environment.stats();
        return new Lookups(stats.hits.sum(), stats.misses.sum());
    }

    /** What a stop waits for, in words. */
    public String underWay() {
        return environment.clients().count() + " connected, " + (jobs.running() + jobs.waiting())
                + " commands beside the event loops";
    }

    /** Stops within about a second. */
    @Override
    public void close() throws IOException {
        stop(CLOSE_MILLIS);
    }

    /** Closes every one, whatever happens to those before it; throws the first failure. */
    private static void closeAll(List<ServerSocket> sockets) throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (ServerSocket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }
}
