package io.tidemark.server.replay;

import io.tidemark.index.replay.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Replays a trace against a running server: a fixed number of clients over one trace. */
public final class Replayer {
    private static final long PROGRESS_MILLIS = 200;

    private final Trace trace;
    private final ReplayOptions options;
    private final LongSupplier nanoClock;
    private final ReplayTally tally = new ReplayTally();
    private final AtomicInteger cursor = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<@Nullable Exception> firstFailure = new AtomicReference<>();

    /**
     * A run of its own; to be run once.
     *
     * @param nanoClock monotonic time
     */
    public Replayer(Trace trace, ReplayOptions options, LongSupplier nanoClock) {
        this.trace = trace;
        this.options = options;
        this.nanoClock = nanoClock;
    }

    /**
     * Runs to the end of the trace. One failing client stops all.
     *
     * @throws IOException when the server is not there, goes away, or refuses something other than a put without space
     */
    public ReplayReport run(ReplayListener listener) throws IOException, InterruptedException {
        List<BlockStore> stores = new ArrayList<>();
        try {
            for (int i = 0; i < options.clients(); i++) {
                stores.add(BlockStore.open(options.endpoint(), options.blockBytes(), tally));
            }
            return run(stores, listener);
        } finally {
            for (BlockStore store : stores) {
                store.close();
            }
        }
    }

    private ReplayReport run(List<BlockStore> stores, ReplayListener listener)
            throws IOException, InterruptedException {
        long droppedBefore = stores.getFirst().info().droppedOnlyCopies();
        long start = nanoClock.getAsLong();
        ReplayTimes times = runClients(stores, start, listener);
        double seconds = seconds(start);
        listener.progress(tally.snapshot(), trace.requests(), seconds);
        long dropped = stores.getFirst().info().droppedOnlyCopies() - droppedBefore;
        return new ReplayReport(
                tally.snapshot(),
                seconds,
                dropped,
                ReplayReport.Latency.of(times.lookUp()),
                ReplayReport.Latency.of(times.load()),
                ReplayReport.Latency.of(times.store()));
    }

    private ReplayTimes runClients(List<BlockStore> stores, long start, ReplayListener listener)
            throws IOException, InterruptedException {
        ReplayTimes times = new ReplayTimes();
        ThreadFactory names = Thread.ofPlatform().name("replay-", 0).factory();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(names)) {
            List<Future<ReplayTimes>> clients = new ArrayList<>();
            for (BlockStore store : stores) {
                ReplayClient client = new ReplayClient(trace, options.pace(), store, tally, nanoClock);
                clients.add(threads.submit(() -> runOne(client, start)));
            }
            try {
                for (Future<ReplayTimes> client : clients) {
                    times.add(join(client, start, listener));
                }
            } finally {
                stop.set(true);
            }
        }
        return times;
    }

    /** Runs one client; its failure stops the others at their next request, whichever is waited for. */
    private ReplayTimes runOne(ReplayClient client, long start) throws IOException {
        try {
            return client.run(cursor, stop, start);
        } catch (IOException | RuntimeException e) {
            firstFailure.compareAndSet(null, e);
            stop.set(true);
            throw e;
        }
    }

    private ReplayTimes join(Future<ReplayTimes> client, long start, ReplayListener listener)
            throws IOException, InterruptedException {
        while (true) {
            try {
                return client.get(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                listener.progress(tally.snapshot(), trace.requests(), seconds(start));
            } catch (ExecutionException e) {
                throw failure(e);
            }
        }
    }

    private double seconds(long start) {
        return (nanoClock.getAsLong() - start) / 1e9;
    }

    private IOException failure(ExecutionException e) {
        Throwable first = firstFailure.get();
        Throwable cause = first == null ? Objects.requireNonNullElse(e.getCause(), e) : first;
        return cause instanceof IOException io ? io : new IOException("a replay client failed: " + cause, cause);
    }
}
