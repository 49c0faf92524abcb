package io.tidemark.server.resp;

import io.tidemark.core.pool.Clocks;
import io.tidemark.server.resp.protocol.LoopBuffers;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that serves its connections as they become ready.
 *
 * <p>Everything but {@link #execute}, {@link #drain} and {@link #join} runs on that thread. The queue of tasks holds, per
 * connection, at most its hand-over, one call when it waits for space and one when it is overdue: so its bound follows
 * from the limit of connections.
 */
final class EventLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final long DRAIN_TICK_MILLIS = 5;

    private final Selector selector;
    private final Thread thread;
    private final Clocks clocks;
    private final long tickMillis;
    private final LoopBuffers buffers = new LoopBuffers();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Set<Connection> connections = new HashSet<>();
    private final Set<Acceptor> acceptors = new HashSet<>();
    private long nextTickNanos;
    private volatile boolean draining;
    private volatile long drainEndNanos;

    EventLoop(String name, Clocks clocks, long tickMillis) throws IOException {
        this.selector = Selector.open();
        this.clocks = clocks;
        this.tickMillis = tickMillis;
        this.nextTickNanos = clocks.monotonicNanos();
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
    }

    void start() {
        thread.start();
    }

    Selector selector() {
        return selector;
    }

    LoopBuffers buffers() {
        return buffers;
    }

    /** Runs a task on this loop soon. From any thread. */
    void execute(Runnable task) {
        tasks.add(task);
        if (Thread.currentThread() != thread) {
            selector.wakeup();
        }
    }

    void add(Connection connection) {
        connections.add(connection);
    }

    void add(Acceptor acceptor) {
        acceptors.add(acceptor);
    }

    void remove(Connection connection) {
        connections.remove(connection);
    }

    /** Ends the loop when its connections are done with what they do, or at {@code endNanos}. From any thread. */
    void drain(long endNanos) {
        drainEndNanos = endNanos;
        draining = true;
        selector.wakeup();
    }

    /** Waits for the end of the loop; whether it came. From any thread. */
    boolean join(long timeoutMillis) throws InterruptedException {
        thread.join(Math.max(timeoutMillis, 1));
        return !thread.isAlive();
    }

    @Override
    public void run() {
        try (selector) {
            while (!(draining && connections.isEmpty() && tasks.isEmpty())) {
                turn();
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("an event loop of the Redis protocol ended; its connections are closed", e);
            List.copyOf(connections).forEach(Connection::close);
        }
    }

    private void turn() throws IOException {
        long timeoutMillis = draining ? DRAIN_TICK_MILLIS : tickMillis;
        if (tasks.isEmpty()) {
            selector.select(EventLoop::dispatch, timeoutMillis);
        } else {
            selector.selectNow(EventLoop::dispatch);
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        long now = clocks.monotonicNanos();
        if (draining) {
            drainConnections(now);
        } else if (now - nextTickNanos >= 0) {
            nextTickNanos = now + tickMillis * 1_000_000;
            List.copyOf(connections).forEach(connection -> connection.checkTime(now));
            acceptors.forEach(Acceptor::resume);
        }
    }

    private static void dispatch(SelectionKey key) {
        if (key.isValid() && key.attachment() instanceof ReadyHandler handler) {
            handler.ready(key);
        }
    }

    private void drainConnections(long now) {
        boolean over = now - drainEndNanos >= 0;
        for (Connection connection : List.copyOf(connections)) {
            if (over || connection.quiet()) {
                connection.close();
            }
        }
    }
}
