package io.tidemark.server.resp;

import io.tidemark.server.resp.wire.TlsFiles;
import java.util.List;
import java.util.Optional;

/**
 * Everything a {@link RespServer} has to know.
 *
 * @param listeners sockets to accept on, at least one
 * @param loops event loops, each one thread; a connection stays with one of them
 * @param version what {@code INFO} and {@code HELLO} call the version of this server
 * @param maxmemoryPolicy Redis's word for the order in which blocks are evicted, for {@code CONFIG GET} and {@code INFO}
 * @param tls certificates of the listeners under TLS; needed when there is one
 */
public record RespOptions(
        List<RespListener> listeners,
        RespLimits limits,
        int loops,
        String version,
        String maxmemoryPolicy,
        Optional<TlsFiles> tls) {
    public RespOptions {
        listeners = List.copyOf(listeners);
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("no listener; expected at least one");
        }
        if (tls.isEmpty() && listeners.stream().anyMatch(RespListener::tls)) {
            throw new IllegalArgumentException("a listener is to speak TLS and there are no certificates");
        }
        if (loops < 1) {
            throw new IllegalArgumentException("loops is " + loops + "; expected at least 1");
        }
    }

    /** One loop per processor, up to four. */
    public static int defaultLoops() {
        return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
    }

    /** Default limits and loops, without TLS. */
    public static RespOptions of(List<RespListener> listeners, String version) {
        return new RespOptions(listeners, RespLimits.DEFAULT, defaultLoops(), version, "allkeys-lru", Optional.empty());
    }
}
