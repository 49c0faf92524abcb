package io.tidemark.server.resp;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** A bound listener. Closing it removes the socket file it made, and nothing else that may be there by then. */
final class ServerSocket implements AutoCloseable {
    private static final int BACKLOG = 511;

    private final ServerSocketChannel channel;
    private final RespListener listener;
    private final Optional<SocketFile> file;

    private ServerSocket(ServerSocketChannel channel, RespListener listener, Optional<SocketFile> file) {
        this.channel = channel;
        this.listener = listener;
        this.file = file;
    }

    /** Binds the listener's address; throws with the address in the message when that fails. */
    static ServerSocket bind(RespListener listener) throws IOException {
        if (listener.address() instanceof ListenAddress.UnixSocket(Path path)) {
            return bindUnix(path, listener);
        }
        return new ServerSocket(bindTcp((ListenAddress.Tcp) listener.address()), listener, Optional.empty());
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

    private static ServerSocketChannel bindTcp(ListenAddress.Tcp tcp) throws IOException {
        InetSocketAddress address = new InetSocketAddress(tcp.host(), tcp.port());
        if (address.isUnresolved()) {
            throw new IOException("cannot listen on " + tcp + ": unknown host");
        }
        try {
            return bound(tcpChannel(), address, tcp);
        } catch (IOException e) {
            if (tcp.movable() && e.getCause() instanceof BindException) {
                return bound(tcpChannel(), new InetSocketAddress(address.getAddress(), 0), tcp);
            }
            throw e;
        }
    }

    private static ServerSocketChannel tcpChannel() throws IOException {
        return ServerSocketChannel.open().setOption(StandardSocketOptions.SO_REUSEADDR, true);
    }

    private static ServerSocket bindUnix(Path path, RespListener listener) throws IOException {
        removeStale(path);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        FileMask.during(() -> bound(channel, UnixDomainSocketAddress.of(path), listener.address()));
        try {
            return new ServerSocket(channel, listener, SocketFile.at(path));
        } catch (IOException e) {
            channel.close();
            throw new IOException("cannot look at " + path + ", which was just made: " + e.getMessage(), e);
        }
    }

    private static ServerSocketChannel bound(ServerSocketChannel channel, SocketAddress address, ListenAddress shown)
            throws IOException {
        try {
            return channel.bind(address, BACKLOG);
        } catch (IOException e) {
            channel.close();
            throw new IOException("cannot listen on " + shown + ": " + e.getMessage(), e);
        }
    }

    /** Removes a socket that nobody listens on any more; whatever else is there is left alone and ends the start. */
    private static void removeStale(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        SocketFile stale = SocketFile.at(path)
                .orElseThrow(() -> new IOException(
                        "cannot listen on " + path + ": it is there and is no socket; it is left alone"));
        if (answers(path)) {
            throw new IOException("cannot listen on " + path + ": another process does already");
        }
        stale.delete();
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
        // in this order: while the channel is open no other file can get the inode of its socket
        try (channel) {
            if (file.isPresent()) {
                file.get().delete();
            }
        }
    }
}
