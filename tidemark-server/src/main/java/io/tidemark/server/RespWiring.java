package io.tidemark.server;

import io.tidemark.core.pool.Pool;
import io.tidemark.server.config.ListenerConfig;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.resp.Compat;
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
import java.nio.file.Files;
import java.util.ArrayList;
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

    static RespServer start(Pool pool, TidemarkConfig.Redis redis, TidemarkConfig.Limits limits, String version)
            throws StartException {
        List<RespListener> listeners = new ArrayList<>();
        for (ListenerConfig listener : redis.listeners()) {
            listeners.add(new RespListener(address(listener), compat(listener.compat()), redis.password()));
        }
        RespOptions base = RespOptions.of(listeners, version);
        RespOptions options = new RespOptions(listeners, limits(redis, limits), base.loops(), version);
        try {
            return RespServer.start(pool, options);
        } catch (IOException e) {
            throw new StartException(e.getMessage() + holder(redis.listeners()), e);
        }
    }

    static RespLimits limits(TidemarkConfig.Redis redis, TidemarkConfig.Limits limits) {
        return new RespLimits(
                limits.maxValueBytes(),
                limits.waitWhenFull() ? OnFull.WAIT : OnFull.REJECT,
                limits.fullWaitMillis(),
                limits.fullWaiters(),
                limits.stalledMillis(),
                RespLimits.DEFAULT.idleMillis(),
                redis.maxConnections(),
                MemoryBudget.directOfThisJvm() / REPLY_SHARE,
                Math.min(RespLimits.DEFAULT.readAheadBytes(), MemoryBudget.heapOfThisJvm() / READ_AHEAD_SHARE));
    }

    private static Compat compat(io.tidemark.server.config.Compat compat) {
        return switch (compat) {
            case NONE -> Compat.NONE;
            case LMCACHE_RESP -> Compat.LMCACHE_RESP;
        };
    }

    private static ListenAddress address(ListenerConfig listener) throws StartException {
        return switch (listener) {
            case ListenerConfig.Tcp tcp -> new ListenAddress.Tcp(tcp.bind(), portFor(tcp));
            case ListenerConfig.Unix unix -> {
                int length = unix.path().toString().getBytes(StandardCharsets.UTF_8).length;
                if (length > MAX_SOCKET_PATH_BYTES) {
                    throw new StartException("socket path " + unix.path() + " has " + length
                            + " bytes; Linux takes at most " + MAX_SOCKET_PATH_BYTES);
                }
                if (Files.isRegularFile(unix.path()) || Files.isDirectory(unix.path())) {
                    throw new StartException(unix.path() + " is there and is no socket; it is left alone");
                }
                yield new ListenAddress.UnixSocket(unix.path());
            }
        };
    }

    /** The configured port, or 0 (any free one) where the default is taken. */
    private static int portFor(ListenerConfig.Tcp tcp) {
        if (!tcp.movable() || isFree(tcp)) {
            return tcp.port();
        }
        LOG.warn(
                "port {} is taken{}; the Redis protocol moves to a free one",
                tcp.port(),
                SocketOwner.ofTcp(tcp.port()).map(owner -> " by " + owner).orElse(""));
        return 0;
    }

    private static boolean isFree(ListenerConfig.Tcp tcp) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(tcp.bind(), tcp.port()));
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Who holds an address that could not be bound, as far as it can be told. */
    private static String holder(List<ListenerConfig> listeners) {
        return listeners.stream()
                .flatMap(listener -> holder(listener).stream())
                .findFirst()
                .map(owner -> " (held by " + owner + ")")
                .orElse("");
    }

    private static Optional<String> holder(ListenerConfig listener) {
        return switch (listener) {
            case ListenerConfig.Tcp tcp -> isFree(tcp) ? Optional.empty() : SocketOwner.ofTcp(tcp.port());
            case ListenerConfig.Unix unix -> SocketOwner.ofUnix(unix.path());
        };
    }
}
