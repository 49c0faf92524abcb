package io.tidemark.server.doctor;

import io.tidemark.server.Endpoints;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.machine.FileTrouble;
import io.tidemark.server.machine.SocketOwner;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.RespListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at whether the addresses of a server are free, or held by the server itself. */
final class ListenChecks {
    /** Longest path of a Unix socket that Linux takes, in bytes. */
    private static final int MAX_SOCKET_PATH_BYTES = 107;

    private final TidemarkConfig config;
    private final Optional<Endpoints> running;

    /** @param running where the server of the same state directory says it is */
    ListenChecks(TidemarkConfig config, Optional<Endpoints> running) {
        this.config = config;
        this.running = running;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        for (RespListener listener : config.redis().listeners()) {
            findings.add(
                    switch (listener.address()) {
                        case ListenAddress.Tcp tcp ->
                            tcp(tcp.tls() ? "redis-tls" : "redis", tcp.host(), tcp.port(), tcp.movable());
                        case ListenAddress.UnixSocket unix -> unix(unix.path());
                    });
        }
        TidemarkConfig.Http http = config.http();
        findings.add(tcp("http", http.bind(), http.port(), http.movable()));
        return findings;
    }

    private Finding tcp(String check, String host, int port, boolean movable) {
        String address = host + ":" + port;
        if (port == 0) {
            return Finding.ok(check, address + ": any free port");
        }
        if (running.stream().anyMatch(server -> holds(server, port))) {
            return Finding.ok(check, address + " is served by the server that runs");
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(host, port));
            return Finding.ok(check, address + " is free");
        } catch (IOException e) {
            String owner =
                    SocketOwner.ofTcp(port).map(found -> ", held by " + found).orElse("");
            String found = address + ": " + e.getMessage() + owner;
            return movable
                    ? Finding.warn(
                            check, found, "the server takes a free port instead; give one by --" + check + "-port")
                    : Finding.fail(check, found, "stop what holds it, or give another port by --" + check + "-port");
        }
    }

    private static boolean holds(Endpoints server, int port) {
        String suffix = ":" + port;
        return server.http().endsWith(suffix) || server.redis().stream().anyMatch(address -> address.endsWith(suffix));
    }

    private Finding unix(Path path) {
        String check = "socket";
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_SOCKET_PATH_BYTES) {
            return Finding.fail(
                    check,
                    path + " has " + length + " bytes",
                    "Linux takes " + MAX_SOCKET_PATH_BYTES + " at most; give a shorter --redis-socket");
        }
        if (running.stream().anyMatch(server -> server.sockets().contains(path.toString()))) {
            return Finding.ok(check, path + " is served by the server that runs");
        }
        try {
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException _) {
            return Finding.ok(check, path + " is free");
        } catch (IOException e) {
            return Finding.fail(
                    check,
                    path + " is not to be seen: " + FileTrouble.reason(e),
                    "run this as the user of the server, or give another --redis-socket");
        }
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || Files.isDirectory(path)) {
            return Finding.fail(
                    check, path + " is there and is no socket", "remove it, or give another --redis-socket");
        }
        return answers(path)
                ? Finding.fail(
                        check,
                        path + " is held by " + SocketOwner.ofUnix(path).orElse("another process"),
                        "stop that process, or give another --redis-socket")
                : Finding.ok(check, path + " was left behind; the next start takes it over");
    }

    private static boolean answers(Path path) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException _) {
            return false;
        }
    }
}
