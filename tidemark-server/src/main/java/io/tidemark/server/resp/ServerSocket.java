package io.tidemark.server.resp;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalInt;

/** A bound listener. Closing it removes the socket file it made. */
final class ServerSocket implements AutoCloseable {
    private static final int BACKLOG = 511;

    private final ServerSocketChannel channel;
    private final RespListener listener;

    private ServerSocket(ServerSocketChannel channel, RespListener listener) {
        this.channel = channel;
        this.listener = listener;
    }

    /** Binds the listener's address; throws with the address in the message when that fails. */
    static ServerSocket bind(RespListener listener) throws IOException {
        return new ServerSocket(
                switch (listener.address()) {
                    case ListenAddress.Tcp tcp -> bindTcp(new InetSocketAddress(tcp.host(), tcp.port()));
                    case ListenAddress.UnixSocket socket -> bindUnix(socket.path());
                },
                listener);
    }

    ServerSocketChannel channel() {
        return channel;
    }

    RespListener listener() {
        return listener;
    }

    /** The bound TCP port; empty for a Unix socket. */
    OptionalInt port() throws IOException {
        return channel.getLocalAddress() instanceof InetSocketAddress address
                ? OptionalInt.of(address.getPort())
                : OptionalInt.empty();
    }

    private static ServerSocketChannel bindTcp(InetSocketAddress address) throws IOException {
        if (address.isUnresolved()) {
            throw new IOException("cannot listen on " + address + ": unknown host");
        }
        ServerSocketChannel channel = ServerSocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        return bound(channel, address);
    }

    private static ServerSocketChannel bindUnix(Path path) throws IOException {
        removeStale(path);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        bound(channel, UnixDomainSocketAddress.of(path));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw----"));
        return channel;
    }

    private static ServerSocketChannel bound(ServerSocketChannel channel, SocketAddress address) throws IOException {
        try {
            return channel.bind(address, BACKLOG);
        } catch (IOException e) {
            channel.close();
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    /** Removes a socket that nobody listens on any more; leaves everything else for bind to complain about. */
    private static void removeStale(Path path) throws IOException {
        if (!Files.exists(path) || Files.isRegularFile(path) || Files.isDirectory(path)) {
            return;
        }
        if (answers(path)) {
            throw new IOException("cannot listen on " + path + ": another process does already");
        }
        Files.delete(path);
    }

    private static boolean answers(Path path) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(path));
        } catch (ConnectException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (listener.address() instanceof ListenAddress.UnixSocket socket) {
            Files.deleteIfExists(socket.path());
        }
    }
}
