package io.tidemark.server.resp;

import io.tidemark.core.pool.Clocks;
import io.tidemark.server.resp.protocol.LoopBuffers;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One thread that serves its connections as they become ready.
 *
 * <p>Everything that does not say otherwise runs on that thread. The queue of tasks holds, per
 * connection, at most its hand-over, one call when it waits for space, one when another thread is done for it, one when
 * it is overdue and one to read on: so its bound follows from the limit of connections. A failure, an error included, ends what failed and not the loop.
 */
final class EventLoop implements Runnable {
    private static final long DRAIN_TICK_MILLIS = 5;
    private static final int TASKS_PER_TURN = 64;

    private final Selector selector;
    private final Thread thread;
    private final Clocks clocks;
    private final long tickMillis;
    private final LoopBuffers buffers;
    private final LoopFailures failures;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Set<Connection> connections = new HashSet<>();
    private final BriefPolling polling;
    private final Set<Acceptor> acceptors = new HashSet<>();
    private long nextTickNanos;
    private volatile long beatNanos;
    private volatile boolean ended;
    private volatile boolean draining;
    private volatile long drainEndNanos;

    EventLoop(String name, Clocks clocks, long tickMillis, LoopBuffers buffers, LoopFailures failures)
            throws IOException {
        this.selector = Selector.open();
        this.polling = new BriefPolling(selector, clocks::monotonicNanos, this::dispatch);
        this.buffers = buffers;
        this.failures = failures;
        this.clocks = clocks;
        this.tickMillis = tickMillis;
        this.nextTickNanos = clocks.monotonicNanos();
        this.beatNanos = nextTickNanos;
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

    LoopFailures failures() {
        return failures;
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

    /**
     * Closes the connection whose replies have waited longest for their client, {@code but} excepted. Whether there was
     * one.
     */
    boolean shed(Connection but) {
        long now = clocks.monotonicNanos();
        Optional<Connection> slowest = connections.stream()
                .filter(connection -> connection != but && connection.owesReplies())
                .max(Comparator.comparingLong(connection -> connection.unreadNanos(now)));
        slowest.ifPresent(Connection::closeShed);
        return slowest.isPresent();
    }

    /** What is wrong with this loop; nothing while it turns. From any thread. */
    Optional<String> sickness(long nowNanos, long maxStillMillis) {
        if (ended && !draining) {
            return Optional.of(thread.getName() + " has ended");
        }
        long stillMillis = (nowNanos - beatNanos) / 1_000_000;
        return !ended && stillMillis > maxStillMillis
                ? Optional.of(thread.getName() + " has stood still for " + stillMillis + " ms")
                : Optional.empty();
    }

    /** Whether the loop has ended, so that connections are not to be given to it. From any thread. */
    boolean ended() {
        return ended;
    }

    @Override
    public void run() {
        try (selector) {
            while (!(draining && connections.isEmpty() && tasks.isEmpty())) {
                beatNanos = clocks.monotonicNanos();
                turn();
            }
        } catch (Throwable e) {
            failures.note("the loop has ended and its connections are closed", e);
        } finally {
            ended = true;
            List.copyOf(connections).forEach(connection -> guard(connection::close));
            buffers.close();
        }
    }

    private void turn() throws IOException {
        if (!tasks.isEmpty()) {
            selector.selectNow(this::dispatch);
        } else if (draining) {
            selector.select(this::dispatch, DRAIN_TICK_MILLIS);
        } else {
            polling.select(tickMillis, this::hasMore);
        }
        runTasks();
        long now = clocks.monotonicNanos();
        if (draining) {
            drainConnections(now);
        } else if (now - nextTickNanos >= 0) {
            nextTickNanos = now + tickMillis * 1_000_000;
            List.copyOf(connections).forEach(connection -> guard(() -> connection.checkTime(now)));
            acceptors.forEach(acceptor -> guard(acceptor::resume));
        }
    }

    /** A task may add another: so many a turn, and the sockets have theirs in between. */
    private void runTasks() {
        for (int i = 0; i < TASKS_PER_TURN; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            guard(task);
        }
    }

    private boolean hasMore() {
        return draining || !tasks.isEmpty();
    }

    private void dispatch(SelectionKey key) {
        if (key.isValid() && key.attachment() instanceof ReadyHandler handler) {
            guard(() -> handler.ready(key));
        }
    }

    /** What goes wrong for one connection must not end the others: errors are caught too. */
    private void guard(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            failures.note("the loop goes on", e);
        }
    }

    private void drainConnections(long now) {
        boolean over = now - drainEndNanos >= 0;
        for (Connection connection : List.copyOf(connections)) {
            if (over || connection.quiet()) {
                guard(connection::close);
            }
        }
    }
}
