package io.tidemark.server.resp;

import java.nio.file.Path;

/** Where a listener accepts connections. */
public sealed interface ListenAddress {
    /**
     * A TCP port.
     *
     * @param port 0 takes a free one, see {@link RespServer#port(int)}
     */
    record Tcp(String host, int port) implements ListenAddress {}

    /** A Unix socket, created with mode 0660. A socket left behind by a process that is gone is replaced. */
    record UnixSocket(Path path) implements ListenAddress {}
}
