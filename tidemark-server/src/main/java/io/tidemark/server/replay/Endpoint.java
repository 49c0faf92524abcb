package io.tidemark.server.replay;

import io.tidemark.server.machine.PathText;
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

    /** A Unix domain socket; the password, when there is one, is sent with AUTH. */
    record Unix(Path path, Optional<String> password) implements Endpoint {
        /** A socket of a server without a password. */
        public Unix(Path path) {
            this(path, Optional.empty());
        }

        @Override
        public String toString() {
            return "unix://" + path;
        }
    }

    /** Password to log in with. */
    Optional<String> password();

    /** The same address with this password. */
    default Endpoint withPassword(String secret) {
        return switch (this) {
            case Tcp tcp -> new Tcp(tcp.host(), tcp.port(), Optional.of(secret));
            case Unix unix -> new Unix(unix.path(), Optional.of(secret));
        };
    }

    /**
     * Reads {@code redis://[:PASSWORD@]HOST[:PORT]}, {@code unix://[:PASSWORD@]/PATH}, {@code redis+unix:///PATH} or an absolute
     * path.
     *
     * @throws IllegalArgumentException for anything else, with what was expected; it shows no password
     */
    static Endpoint parse(String url) {
        if (url.startsWith("/")) {
            return new Unix(PathText.read(url));
        }
        try {
            URI uri = new URI(url);
            return switch (uri.getScheme() == null ? "" : uri.getScheme()) {
                case "unix", "redis+unix", "redis-socket" -> unix(url, uri);
                case "redis" -> tcp(url, uri);
                default -> throw refused(url);
            };
        } catch (URISyntaxException e) {
            throw refused(url);
        }
    }

    /**
     * Opens a connected, non-blocking channel.
     *
     * @throws IOException when nothing listens, or when that is not known within {@code timeoutMillis}
     */
    default SocketChannel connect(long timeoutMillis) throws IOException {
        SocketAddress address = switch (this) {
            case Tcp tcp -> new InetSocketAddress(tcp.host(), tcp.port());
            case Unix unix -> UnixDomainSocketAddress.of(unix.path());
        };
        boolean unix = address instanceof UnixDomainSocketAddress;
        SocketChannel channel = unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            Connecting.connect(channel, address, timeoutMillis);
            if (!unix) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            channel.configureBlocking(false);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static Unix unix(String url, URI uri) {
        String authority = Optional.ofNullable(uri.getAuthority()).orElse("");
        if (uri.getPath() == null || uri.getPath().isEmpty() || !(authority.isEmpty() || authority.endsWith("@"))) {
            throw refused(url);
        }
        Optional<String> password = authority.isEmpty()
                ? Optional.empty()
                : Optional.of(authority.substring(authority.indexOf(':') + 1, authority.length() - 1));
        return new Unix(PathText.read(uri.getPath()), password);
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
        return new IllegalArgumentException("'" + url.replaceFirst("//[^/]*@", "//***@")
                + "' is no server address; expected redis://HOST:PORT, unix:///PATH or an absolute path");
    }
}
