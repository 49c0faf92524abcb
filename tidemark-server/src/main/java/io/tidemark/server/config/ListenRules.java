package io.tidemark.server.config;

import io.tidemark.server.resp.ListenAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What has to hold for the addresses of a server. */
final class ListenRules {
    /** Longest path of a Unix socket that Linux takes, in bytes. */
    private static final int MAX_SOCKET_PATH_BYTES = 107;

    private final Effective effective;
    private final Contradictions contradictions;

    ListenRules(Effective effective, Contradictions contradictions) {
        this.effective = effective;
        this.contradictions = contradictions;
    }

    /**
     * An address and who asked for it.
     *
     * @param setting that gives the port or path
     * @param bind that gives the host
     * @param secret that names the file with what callers have to know
     */
    record Asked(ListenAddress address, Setting<?> setting, Setting<?> bind, Setting<Path> secret) {}

    void check(List<Asked> addresses) {
        for (int index = 0; index < addresses.size(); index++) {
            Asked asked = addresses.get(index);
            if (asked.address() instanceof ListenAddress.Tcp tcp) {
                requireLoopback(asked, tcp.host());
            } else if (asked.address() instanceof ListenAddress.UnixSocket unix) {
                requireShort(asked, unix.path());
            }
            addresses.subList(0, index).forEach(other -> requireDifferent(other, asked));
        }
    }

    private void requireLoopback(Asked asked, String host) {
        try {
            boolean loopback = InetAddress.getByName(host).isLoopbackAddress();
            boolean guarded = !effective.given(asked.secret()).text().isEmpty();
            if (!loopback && !guarded && !effective.get(Settings.ALLOW_UNAUTHENTICATED)) {
                contradictions.add(
                        asked.bind(),
                        host + " is reachable from other machines and nothing asks who calls; expected "
                                + named(asked.secret()) + ", or " + named(Settings.ALLOW_UNAUTHENTICATED)
                                + " to open it to everyone",
                        asked.secret(),
                        Settings.ALLOW_UNAUTHENTICATED);
            }
        } catch (UnknownHostException _) {
            contradictions.add(asked.bind(), "'" + host + "' is no address of this machine");
        }
    }

    private static String named(Setting<?> setting) {
        return setting.key() + " (" + setting.flag() + ")";
    }

    private void requireShort(Asked asked, Path path) {
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_SOCKET_PATH_BYTES) {
            contradictions.add(
                    asked.setting(),
                    "the socket " + path + " has " + length + " bytes; Linux takes " + MAX_SOCKET_PATH_BYTES
                            + " at most; expected a shorter path by " + named(Settings.REDIS_SOCKET));
        }
    }

    /** One address cannot be listened on twice; a default port moves out of the way. */
    private void requireDifferent(Asked first, Asked second) {
        boolean clash = first.address() instanceof ListenAddress.Tcp one
                ? second.address() instanceof ListenAddress.Tcp other && clash(one, other)
                : path(first.address()).equals(path(second.address()));
        if (clash) {
            String where = first.address() instanceof ListenAddress.Tcp tcp ? "port " + tcp.port() : "the socket";
            contradictions.add(
                    second.setting(),
                    second.address() + " is asked for twice: " + where + " is that of "
                            + first.setting().key() + " ("
                            + effective.given(first.setting()).origin() + ") too",
                    first.setting());
        }
    }

    private static Optional<Path> path(ListenAddress address) {
        return address instanceof ListenAddress.UnixSocket(Path path) ? Optional.of(path) : Optional.empty();
    }

    private static boolean clash(ListenAddress.Tcp one, ListenAddress.Tcp other) {
        boolean fixed = one.port() != 0 && !one.movable() && !other.movable();
        return fixed && one.port() == other.port() && overlap(one.host(), other.host());
    }

    private static boolean overlap(String one, String other) {
        try {
            InetAddress first = InetAddress.getByName(one);
            InetAddress second = InetAddress.getByName(other);
            return first.equals(second) || first.isAnyLocalAddress() || second.isAnyLocalAddress();
        } catch (UnknownHostException _) {
            return false; // told already
        }
    }
}
