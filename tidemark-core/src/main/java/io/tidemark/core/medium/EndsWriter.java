package io.tidemark.core.medium;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the journal for those who wait for the end of a block, on a thread of its own: a write that hangs keeps that thread
 * and nobody who waits, and all who come while one write runs share the next one. The monitor is a leaf.
 */
final class EndsWriter implements AutoCloseable {
    private final Journal journal;
    private final String name;
    private final Workers thread;
    /** The write that has not begun yet, if anybody waits for one. */
    private @Nullable Round next;

    /** One write, and those who wait for it. */
    private static final class Round {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private long ticket;
    }

    EndsWriter(String name, Journal journal) {
        this.name = name;
        this.journal = journal;
        thread = new Workers(1, 2, "tidemark-ends-" + name + "-"); // one write that runs, one that waits
    }

    /**
     * Returns once the record with this ticket, and all before it, are on disk.
     *
     * @throws IOException when they could not be written, or not within that time; they stay in line
     */
    void await(long ticket, long withinMillis) throws IOException {
        try {
            roundFor(ticket).done.get(withinMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new UnavailableException(name + ": ends of blocks were not written within " + withinMillis + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the journal", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw new IOException(name + ": the journal could not be written", e);
            }
        }
    }

    /** Begins to write the record with this ticket, if that is not done; waits for nothing. */
    void begin(long ticket) {
        try {
            roundFor(ticket);
        } catch (UnavailableException e) {
            // Who waits for the record hears that.
        }
    }

    private synchronized Round roundFor(long ticket) throws UnavailableException {
        Round mine = next;
        if (mine == null) {
            mine = new Round();
            try {
                thread.execute(this::write);
            } catch (RejectedExecutionException e) {
                throw new UnavailableException(
                        name + " is closed, or no thread can be started that writes its journal");
            }
            next = mine;
        }
        mine.ticket = Math.max(mine.ticket, ticket);
        return mine;
    }

    private synchronized @Nullable Round begin() {
        Round mine = next;
        next = null;
        return mine;
    }

    private void write() {
        Round mine = begin();
        if (mine == null) {
            return;
        }
        try {
            journal.flush(mine.ticket);
            mine.done.complete(null);
        } catch (IOException | RuntimeException | Error e) {
            mine.done.completeExceptionally(e);
        }
    }

    /** Takes no more; what waits is still written. */
    @Override
    public void close() {
        thread.end();
    }

    /** Waits, after the {@link #close}, until the thread writes nothing any more; false: a call still keeps it. */
    boolean awaitEnd(long withinMillis) {
        try {
            return thread.awaitEnd(TimeUnit.MILLISECONDS.toNanos(withinMillis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
