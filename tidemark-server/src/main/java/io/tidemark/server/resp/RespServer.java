package io.tidemark.server.resp;

import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.Pool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The Redis protocol server: listeners, event loops and the connections they own. */
public final class RespServer implements AutoCloseable {
    private static final long CLOSE_MILLIS = 1_000;

    private final List<ServerSocket> sockets;

    private RespServer(List<ServerSocket> sockets) {
        this.sockets = sockets;
    }

    /** Binds every listener and serves {@code pool} on them. Throws, with nothing left open, when one cannot bind. */
    public static RespServer start(Pool pool, RespOptions options) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (RespListener listener : options.listeners()) {
                sockets.add(ServerSocket.bind(listener));
            }
        } catch (IOException e) {
            closeAll(sockets);
            throw e;
        }
        return new RespServer(sockets);
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
        closeAll(sockets);
    }

    /** Shows the counters of the protocol: connections, commands, bytes, refusals. */
    public void counters(CounterVisitor visitor) {
        visitor.gauge("tidemark_resp_listeners", "Listening sockets of the Redis protocol.", sockets.size());
    }

    @Override
    public void close() throws IOException {
        stop(CLOSE_MILLIS);
    }

    private static void closeAll(List<ServerSocket> sockets) throws IOException {
        for (ServerSocket socket : sockets) {
            socket.close();
        }
    }
}
