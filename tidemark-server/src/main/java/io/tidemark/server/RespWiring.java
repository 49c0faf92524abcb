package io.tidemark.server;

import io.tidemark.core.pool.Pool;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.SocketOwner;
import io.tidemark.server.record.UseListener;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.OnFull;
import io.tidemark.server.resp.RespLimits;
import io.tidemark.server.resp.RespListener;
import io.tidemark.server.resp.RespOptions;
import io.tidemark.server.resp.RespServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the Redis server that a configuration describes. */
final class RespWiring {
    private static final Logger LOG = LoggerFactory.getLogger(RespWiring.class);
    /** Longest path of a Unix socket that Linux takes, in bytes. */
    private static final int MAX_SOCKET_PATH_BYTES = 107;

    /** One in so many bytes of direct memory is for replies; the rest is for reads and what else the JVM copies. */
    private static final int REPLY_SHARE = 2;

    /** One in so many bytes of the heap is for commands read ahead of their replies. */
    private static final int READ_AHEAD_SHARE = 8;

    private RespWiring() {}

    static RespServer start(Pool pool, TidemarkConfig config, String version, UseListener uses) throws StartException {
        TidemarkConfig.Redis redis = config.redis();
        for (RespListener listener : redis.listeners()) {
            check(listener.address());
        }
        RespOptions options = new RespOptions(
                redis.listeners(),
                limits(redis, config.limits()),
                RespOptions.defaultLoops(),
                version,
                redisWord(config.tiers().tiers().getFirst().policy()),
                redis.tls());
        try {
            RespServer server = RespServer.start(pool, options, uses);
            tellMoved(server, redis.listeners());
            return server;
        } catch (IOException e) {
            throw new StartException(e.getMessage() + holder(redis.listeners()), e);
        }
    }

    /** The nearest to an order that Redis has a word for: that is what dashboards of Redis know. */
    static String redisWord(String policy) {
        if (policy.equals(TierPlan.NO_EVICTION)) {
            return "noeviction";
        }
        return policy.contains("lfu") ? "allkeys-lfu" : "allkeys-lru";
    }

    static RespLimits limits(TidemarkConfig.Redis redis, TidemarkConfig.Limits limits) {
        return new RespLimits(
                limits.maxValueBytes(),
                limits.waitWhenFull() ? OnFull.WAIT : OnFull.REJECT,
                limits.fullWaitMillis(),
                limits.stalledMillis(),
                RespLimits.DEFAULT.idleMillis(),
                redis.maxConnections(),
                MemoryBudget.directOfThisJvm() / REPLY_SHARE,
                Math.min(RespLimits.DEFAULT.readAheadBytes(), MemoryBudget.heapOfThisJvm() / READ_AHEAD_SHARE));
    }

    /** Looks at what the protocol server could only say in the kernel's words. */
    private static void check(ListenAddress address) throws StartException {
        if (!(address instanceof ListenAddress.UnixSocket(Path path))) {
            return;
        }
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_SOCKET_PATH_BYTES) {
            throw new StartException(
                    "socket path " + path + " has " + length + " bytes; Linux takes at most " + MAX_SOCKET_PATH_BYTES);
        }
    }

    /** Says which listeners are not at the port that was asked for, and why. */
    private static void tellMoved(RespServer server, List<RespListener> listeners) throws IOException {
        for (int i = 0; i < listeners.size(); i++) {
            int bound = server.port(i).orElse(0);
            if (listeners.get(i).address() instanceof ListenAddress.Tcp tcp && tcp.movable() && tcp.port() != bound) {
                LOG.warn(
                        "port {} is taken{}; the Redis protocol moves to {}",
                        tcp.port(),
                        SocketOwner.ofTcp(tcp.port())
                                .map(owner -> " by " + owner)
                                .orElse(""),
                        bound);
            }
        }
    }

    /** Who holds an address that could not be bound, as far as it can be told. */
    private static String holder(List<RespListener> listeners) {
        return listeners.stream()
                .flatMap(listener -> holder(listener.address()).stream())
                .findFirst()
                .map(owner -> " (held by " + owner + ")")
                .orElse("");
    }

    private static Optional<String> holder(ListenAddress address) {
        return switch (address) {
            case ListenAddress.Tcp tcp -> isFree(tcp) ? Optional.empty() : SocketOwner.ofTcp(tcp.port());
            case ListenAddress.UnixSocket unix -> SocketOwner.ofUnix(unix.path());
        };
    }

    private static boolean isFree(ListenAddress.Tcp tcp) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(tcp.host(), tcp.port()));
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
