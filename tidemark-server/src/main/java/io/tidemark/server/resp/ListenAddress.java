package io.tidemark.server.resp;

import java.nio.file.Path;

/** Where a listener accepts connections. Asked for by {@code instanceof} (ADR 10): the compiler does not name the places for a new kind. */
public sealed interface ListenAddress {
    /**
     * A TCP port.
     *
     * @param port 0 takes a free one, see {@link RespServer#port(int)}
     * @param movable whether a free port is taken when this one is in use
     * @param tls whether clients speak TLS on it
     */
    record Tcp(String host, int port, boolean movable, boolean tls) implements ListenAddress {
        /** This port and no other, without TLS. */
        public Tcp(String host, int port) {
            this(host, port, false);
        }

        /** A port without TLS. */
        public Tcp(String host, int port, boolean movable) {
            this(host, port, movable, false);
        }

        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port + (tls ? " (TLS)" : "");
        }
    }

    /** A Unix socket, created with mode 0660. A socket left behind by a process that is gone is replaced. */
    record UnixSocket(Path path) implements ListenAddress {
        @Override
        public String toString() {
            return path.toString();
        }
    }
}
