package io.tidemark.server.resp;

import io.tidemark.server.resp.command.Client;
import io.tidemark.server.resp.command.Environment;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Makes connections of accepted sockets, within the limit, and spreads them over the event loops. */
final class ConnectionFactory {
    private final Environment environment;
    private final RespLimits limits;
    private final SpaceWaiters spaceWaiters;
    private final List<EventLoop> loops;
    private final AtomicLong lastId = new AtomicLong();

    ConnectionFactory(Environment environment, RespLimits limits, SpaceWaiters spaceWaiters, List<EventLoop> loops) {
        this.environment = environment;
        this.limits = limits;
        this.spaceWaiters = spaceWaiters;
        this.loops = loops;
    }

    /** Opens a connection on one of the loops. False, with nothing done, when there are too many. */
    boolean open(SocketChannel channel, RespListener listener) throws IOException {
        if (environment.clients().count() >= limits.maxConnections()) {
            environment.stats().rejectedConnections.increment();
            return false;
        }
        long id = lastId.incrementAndGet();
        Client client = new Client(
                id,
                Acceptor.text(channel.getRemoteAddress()),
                Acceptor.text(channel.getLocalAddress()),
                environment.nowMillis(),
                listener.password(),
                listener.compat() == Compat.LMCACHE_RESP);
        environment.clients().add(client);
        environment.stats().connections.increment();
        EventLoop loop = loops.get((int) (id % loops.size()));
        loop.execute(() -> Connection.open(channel, loop, client, environment, limits, spaceWaiters));
        return true;
    }
}
