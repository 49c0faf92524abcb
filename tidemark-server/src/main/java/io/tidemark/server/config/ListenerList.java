package io.tidemark.server.config;

import io.tidemark.server.resp.Compat;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.RespListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Listeners of the Redis protocol as the configuration gives them in text. */
final class ListenerList {
    /** Names of the parts of a listener. */
    private static final Set<String> PARTS = Set.of("bind", "port", "socket", "compat", "tls");

    private ListenerList() {}

    /** Reads {@code port=6400,compat=lmcache-resp;socket=/run/kv.sock}. */
    static List<RespListener> parse(String text) {
        List<RespListener> listeners = new ArrayList<>();
        for (String item : text.split(";", -1)) {
            Map<String, String> parts = new LinkedHashMap<>();
            for (String part : item.split(",", -1)) {
                int sign = part.indexOf('=');
                if (sign < 1) {
                    throw new IllegalArgumentException("'" + part + "' is no part of a listener; expected NAME=VALUE");
                }
                parts.put(
                        part.substring(0, sign).strip(),
                        part.substring(sign + 1).strip());
            }
            listeners.add(of(parts));
        }
        return listeners;
    }

    private static RespListener of(Map<String, String> parts) {
        for (String name : parts.keySet()) {
            if (!PARTS.contains(name)) {
                throw new IllegalArgumentException("a listener has no '" + name
                        + "'; expected bind, port, socket, compat or tls" + Nearest.hint(name, PARTS));
            }
        }
        Compat compat = Compat.of(parts.getOrDefault("compat", Compat.NONE.word()));
        String socket = parts.get("socket");
        String port = parts.get("port");
        if ((socket == null) == (port == null)) {
            throw new IllegalArgumentException("a listener needs either a port or a socket, and not both");
        }
        boolean tls = ValueType.SWITCH.parser().apply(parts.getOrDefault("tls", "false"));
        if (socket != null && tls) {
            throw new IllegalArgumentException("a listener on a socket has no TLS; expected a port");
        }
        if (socket != null) {
            return new RespListener(new ListenAddress.UnixSocket(Path.of(socket)), compat);
        }
        int number = ValueType.count(0, 65_535).parser().apply(port == null ? "" : port);
        String bind = parts.getOrDefault("bind", "127.0.0.1");
        return new RespListener(new ListenAddress.Tcp(bind, number, false, tls), compat);
    }
}
