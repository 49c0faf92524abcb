package io.tidemark.server.replay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;

/** Where a server of the Redis protocol listens, from its URL. Shown without the password. */
public sealed interface Endpoint {
    /** Port of a URL that names none. */
    int DEFAULT_PORT = 6379;

    /** A TCP listener; the password, when there is one, is sent with AUTH. */
    record Tcp(String host, int port, Optional<String> password) implements Endpoint {
        @Override
        public String toString() {
            return "redis://" + host + ":" + port;
        }
    }

    /** A Unix domain socket. */
    record Unix(Path path) implements Endpoint {
        @Override
        public Optional<String> password() {
            return Optional.empty();
        }

        @Override
        public String toString() {
            return "unix://" + path;
        }
    }

    /** Password to log in with. */
    Optional<String> password();

    /**
     * Reads {@code redis://[:password@]HOST[:PORT]}, {@code unix:///PATH}, {@code redis+unix:///PATH} or an absolute path.
     *
     * @throws IllegalArgumentException for anything else, with what was expected
     */
    static Endpoint parse(String url) {
        if (url.startsWith("/")) {
            return new Unix(Path.of(url));
        }
        try {
            URI uri = new URI(url);
            return switch (uri.getScheme() == null ? "" : uri.getScheme()) {
                case "unix", "redis+unix", "redis-socket" -> new Unix(Path.of(uri.getPath()));
                case "redis" -> tcp(url, uri);
                default -> throw refused(url);
            };
        } catch (URISyntaxException e) {
            throw refused(url);
        }
    }

    /** Opens a connected, non-blocking channel. Connecting to a dead local address fails at once. */
    default SocketChannel connect() throws IOException {
        SocketChannel channel = switch (this) {
            case Tcp tcp -> open(new InetSocketAddress(tcp.host(), tcp.port()));
            case Unix unix -> open(UnixDomainSocketAddress.of(unix.path()));
        };
        channel.configureBlocking(false);
        return channel;
    }

    private static SocketChannel open(SocketAddress address) throws IOException {
        boolean unix = address instanceof UnixDomainSocketAddress;
        SocketChannel channel = unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            channel.connect(address);
            if (!unix) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static Tcp tcp(String url, URI uri) {
        if (uri.getHost() == null) {
            throw refused(url);
        }
        String user = uri.getUserInfo();
        Optional<String> password = Optional.ofNullable(user).map(text -> text.substring(text.indexOf(':') + 1));
        return new Tcp(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(), password);
    }

    private static IllegalArgumentException refused(String url) {
        return new IllegalArgumentException(
                "'" + url + "' is no server address; expected redis://HOST:PORT, unix:///PATH or an absolute path");
    }
}
