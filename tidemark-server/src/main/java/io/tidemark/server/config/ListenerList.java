package io.tidemark.server.config;

import io.tidemark.server.machine.PathText;
import io.tidemark.server.resp.Compat;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.RespListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Listeners of the Redis protocol as the configuration gives them in text. */
final class ListenerList {
    /** Names of the parts of a listener. */
    private static final Set<String> PARTS = Set.of("bind", "port", "socket", "compat", "tls");

    private static final ValueType<Integer> PORT = ValueType.count(0, 65_535);

    private ListenerList() {}

    /** Reads {@code port=6400,compat=lmcache-resp;socket=/run/kv.sock}; names all that is wrong with it. */
    static List<RespListener> parse(String text) {
        List<RespListener> listeners = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (String item : text.split(";", -1)) {
            Map<String, String> parts = new LinkedHashMap<>();
            for (String part : item.split(",", -1)) {
                int sign = part.indexOf('=');
                if (sign < 1) {
                    wrong.add("'" + part + "' is no part of a listener; expected NAME=VALUE");
                } else {
                    String name = part.substring(0, sign).strip();
                    if (parts.put(name, part.substring(sign + 1).strip()) != null) {
                        wrong.add("'" + name + "' of a listener is given twice; expected it once");
                    }
                }
            }
            listener(parts, wrong).ifPresent(listeners::add);
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", new LinkedHashSet<>(wrong)));
        }
        return listeners;
    }

    /** The listener of these parts; empty when something is wrong with them, which is then told. */
    private static Optional<RespListener> listener(Map<String, String> parts, List<String> wrong) {
        int before = wrong.size();
        for (String name : parts.keySet()) {
            if (!PARTS.contains(name)) {
                wrong.add("a listener has no '" + name + "'; expected bind, port, socket, compat or tls"
                        + Nearest.hint(name, PARTS));
            }
        }
        boolean known = wrong.size() == before;
        Optional<Compat> compat = part(() -> Compat.of(parts.getOrDefault("compat", Compat.NONE.word())), wrong);
        Optional<Boolean> tls = part(() -> ValueType.SWITCH.parser().apply(parts.getOrDefault("tls", "false")), wrong);
        Optional<Integer> port = Optional.ofNullable(parts.get("port"))
                .flatMap(text -> part(() -> PORT.parser().apply(text), wrong));
        boolean hasSocket = parts.containsKey("socket");
        Optional<Path> socket =
                Optional.ofNullable(parts.get("socket")).flatMap(text -> part(() -> PathText.read(text), wrong));
        if (known && hasSocket == parts.containsKey("port")) {
            wrong.add("a listener needs either a port or a socket, and not both");
        }
        if (hasSocket && tls.orElse(false)) {
            wrong.add("a listener on a socket has no TLS; expected a port");
        }
        if (wrong.size() > before) {
            return Optional.empty();
        }
        ListenAddress address = socket.<ListenAddress>map(ListenAddress.UnixSocket::new)
                .orElseGet(() -> new ListenAddress.Tcp(
                        parts.getOrDefault("bind", "127.0.0.1"), port.orElseThrow(), false, tls.orElseThrow()));
        return Optional.of(new RespListener(address, compat.orElseThrow()));
    }

    private static <T> Optional<T> part(Supplier<T> read, List<String> wrong) {
        try {
            return Optional.of(read.get());
        } catch (IllegalArgumentException e) {
            wrong.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}
