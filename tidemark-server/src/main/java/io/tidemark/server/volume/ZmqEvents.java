package io.tidemark.server.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.volume.Layout;
import io.tidemark.core.volume.RankDir;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * Delete events over a ZeroMQ PUB socket: one message for each batch and model, sequence numbers shared over the topics.
 * A subscriber that does not read loses messages, and nobody waits for it. Guarded by itself: the socket belongs to one
 * thread at a time.
 */
final class ZmqEvents implements DeleteEvents {
    /** Messages kept for a slow subscriber, as the evictor of old has it. */
    private static final int HIGH_WATER_MARK = 100_000;

    private final String medium;
    private final int batch;
    private final Clocks clocks;
    private final ZContext context = new ZContext();
    private final ZMQ.Socket socket;

    @GuardedBy("this")
    private final Map<String, List<Long>> noted = new LinkedHashMap<>();

    @GuardedBy("this")
    private int notedHashes;

    @GuardedBy("this")
    private long sequence;

    @GuardedBy("this")
    private long sent;

    /**
     * A bound socket.
     *
     * @param endpoint address to bind, for example {@code tcp://*:5557}
     * @param batch hashes after which a message goes out without waiting for the end of the batch
     * @throws ZMQException when the address cannot be bound
     */
    ZmqEvents(String endpoint, String medium, int batch, Clocks clocks) {
        this.medium = medium;
        this.batch = batch;
        this.clocks = clocks;
        context.setLinger(0);
        socket = context.createSocket(SocketType.PUB);
        socket.setLinger(0);
        socket.setSndHWM(HIGH_WATER_MARK);
        try {
            socket.bind(endpoint);
        } catch (ZMQException | IllegalArgumentException e) {
            context.close();
            throw e;
        }
    }

    @Override
    public synchronized void removed(RankDir rank, Layout.BlockHash hash) {
        if (hash.known() && rank.model().isPresent()) {
            noted.computeIfAbsent(rank.model().get(), absent -> new ArrayList<>())
                    .add(hash.value());
            notedHashes++;
            if (notedHashes >= batch) {
                flush();
            }
        }
    }

    @Override
    public synchronized void flush() {
        noted.forEach(this::publish);
        noted.clear();
        notedHashes = 0;
    }

    @GuardedBy("this")
    private void publish(String model, List<Long> hashes) {
        sequence++;
        boolean gone = socket.sendMore(DeleteMessage.topic(medium, model))
                && socket.sendMore(DeleteMessage.sequence(sequence))
                && socket.send(DeleteMessage.payload(clocks.wallMillis() / 1000.0, hashes, medium), 0);
        sent += gone ? hashes.size() : 0;
    }

    @Override
    public synchronized long sent() {
        return sent;
    }

    @Override
    public void close() {
        context.close();
    }
}
