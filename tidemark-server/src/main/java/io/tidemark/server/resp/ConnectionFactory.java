package io.tidemark.server.resp;

import io.tidemark.server.resp.command.Client;
import io.tidemark.server.resp.command.Environment;
import io.tidemark.server.resp.wire.PlainWire;
import io.tidemark.server.resp.wire.TlsWire;
import io.tidemark.server.resp.wire.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Makes connections of accepted sockets, within the limit, and spreads them over the event loops. */
final class ConnectionFactory {
    private final Shared shared;
    private final List<EventLoop> loops;
    private final AtomicLong lastId = new AtomicLong();

    ConnectionFactory(Shared shared, List<EventLoop> loops) {
        this.shared = shared;
        this.loops = loops;
    }

    /** Opens a connection on one of the loops. False, with nothing done, when there are too many. */
    boolean open(SocketChannel channel, RespListener listener) throws IOException {
        Environment environment = shared.environment();
        if (environment.clients().count() >= shared.limits().maxConnections()) {
            environment.stats().rejectedConnections.increment();
            return false;
        }
        Optional<EventLoop> loop = nextLoop();
        if (loop.isEmpty()) {
            environment.stats().rejectedConnections.increment();
            return false;
        }
        long id = lastId.incrementAndGet();
        Client client = new Client(
                id,
                peerText(channel),
                text(channel.getLocalAddress()),
                environment.nowMillis(),
                listener.password(),
                listener.compat() == Compat.LMCACHE_RESP);
        environment.clients().add(client);
        environment.stats().connections.increment();
        Wire wire = listener.tls() ? TlsWire.over(channel, shared.tls().orElseThrow()) : new PlainWire(channel);
        loop.get().execute(() -> Connection.open(wire, loop.get(), client, shared));
        return true;
    }

    /** The loops in turn, without those that have ended. */
    private Optional<EventLoop> nextLoop() {
        int first = (int) (lastId.get() % loops.size());
        return IntStream.range(0, loops.size())
                .mapToObj(i -> loops.get((first + i) % loops.size()))
                .filter(loop -> !loop.ended())
                .findFirst();
    }

    /** The peer's address; a client on a Unix socket has none of its own and is shown by the listener's path. */
    private static String peerText(SocketChannel channel) throws IOException {
        SocketAddress peer = channel.getRemoteAddress();
        return text(peer instanceof InetSocketAddress ? peer : channel.getLocalAddress());
    }

    private static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
                : address + ":0";
    }
}
