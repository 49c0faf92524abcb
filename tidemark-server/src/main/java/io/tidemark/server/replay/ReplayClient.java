package io.tidemark.server.replay;

import io.tidemark.index.replay.Trace;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * One of the clients of a run: takes the next request, waits until it is due, looks up, loads and stores.
 *
 * <p>Clients share the cursor and the stop flag; everything else is a client's own.
 */
final class ReplayClient {
    private static final long MAX_PARK_NANOS = 50_000_000;

    private final Trace trace;
    private final Pace pace;
    private final BlockStore store;
    private final ReplayTally tally;
    private final LongSupplier nanoClock;
    private final ReplayTimes times = new ReplayTimes();

    ReplayClient(Trace trace, Pace pace, BlockStore store, ReplayTally tally, LongSupplier nanoClock) {
        this.trace = trace;
        this.pace = pace;
        this.store = store;
        this.tally = tally;
        this.nanoClock = nanoClock;
    }

    /** Works until the cursor is past the last request or {@code stop} is set. */
    ReplayTimes run(AtomicInteger cursor, AtomicBoolean stop, long startNanos) throws IOException {
        int next = cursor.getAndIncrement();
        while (next < trace.requests() && !stop.get()) {
            awaitDue(startNanos + pace.dueNanos(sinceFirstMillis(next)), stop);
            serve(new Chain(trace, next));
            next = cursor.getAndIncrement();
        }
        return times;
    }

    private void serve(Chain chain) throws IOException {
        long start = nanoClock.getAsLong();
        int promised = store.lookUp(chain);
        long found = took(times.lookUp(), start);
        int loaded = store.load(chain, promised);
        long got = promised > 0 ? took(times.load(), found) : found;
        store.store(chain, loaded);
        if (loaded < chain.length()) {
            took(times.store(), got);
        }
        tally.prefixHits.add(loaded);
        tally.tokensSaved.add(chain.tokens(loaded));
        tally.references.add(chain.length());
        tally.requests.increment();
    }

    private long sinceFirstMillis(int request) {
        return Math.max(0, trace.timestampMillis(request) - trace.timestampMillis(0));
    }

    private long took(Histogram histogram, long since) {
        long now = nanoClock.getAsLong();
        ReplayTimes.record(histogram, now - since);
        return now;
    }

    private void awaitDue(long dueNanos, AtomicBoolean stop) {
        long left = dueNanos - nanoClock.getAsLong();
        while (left > 0 && !stop.get()) {
            LockSupport.parkNanos(Math.min(left, MAX_PARK_NANOS));
            left = dueNanos - nanoClock.getAsLong();
        }
    }
}
