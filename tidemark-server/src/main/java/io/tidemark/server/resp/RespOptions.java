package io.tidemark.server.resp;

import java.util.List;

/**
 * Everything a {@link RespServer} has to know.
 *
 * @param listeners sockets to accept on, at least one
 * @param loops event loops, each one thread; a connection stays with one of them
 * @param version what {@code INFO} and {@code HELLO} call the version of this server
 */
public record RespOptions(List<RespListener> listeners, RespLimits limits, int loops, String version) {
    public RespOptions {
        listeners = List.copyOf(listeners);
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("no listener; expected at least one");
        }
        if (loops < 1) {
            throw new IllegalArgumentException("loops is " + loops + "; expected at least 1");
        }
    }

    /** Default limits, one loop per processor up to four. */
    public static RespOptions of(List<RespListener> listeners, String version) {
        int loops = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
        return new RespOptions(listeners, RespLimits.DEFAULT, loops, version);
    }
}
