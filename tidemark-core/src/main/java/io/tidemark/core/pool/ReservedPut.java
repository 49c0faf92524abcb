package io.tidemark.core.pool;

import io.tidemark.core.medium.MappedMedium;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Space held by an unfinished put: committed, or given back, once. */
final class ReservedPut extends SessionToken implements Reserved.Reservation {
    /**
     * What was asked for.
     *
     * @param claim the claim on the key; stands with {@link PutMode#CREATE} only
     */
    record Request(
            Session session,
            BlockKey key,
            long bytes,
            PutHints hints,
            PutMode mode,
            KeyClaims.Claimed claim,
            long deadlineNanos) {}

    final Request request;
    final Backend backend;
    final long copy;
    private final Puts puts;
    private final long lastDeadlineNanos;
    private volatile long deadlineNanos;
    /** The whole value was given out at once. */
    private volatile boolean isWhole;
    /** Parts that were given out; several threads may fill them. None is kept that goes beyond the value's bytes. */
    private final Queue<ByteRange> given = new ConcurrentLinkedQueue<>();

    private final AtomicLong givenBytes = new AtomicLong();

    ReservedPut(Puts puts, Request request, Backend backend, long copy) {
        this.puts = puts;
        this.request = request;
        this.backend = backend;
        this.copy = copy;
        lastDeadlineNanos = puts.lastDeadline(request.deadlineNanos());
        deadlineNanos = sooner(request.deadlineNanos());
    }

    @Override
    public long bytes() {
        return request.bytes();
    }

    @Override
    public List<MemorySegment> segments() {
        isWhole = true;
        return ((MappedMedium) backend.medium).segments(copy);
    }

    @Override
    public List<MemorySegment> segments(ByteRange range) {
        Objects.checkFromIndexSize(range.offset(), range.length(), bytes());
        if (range.length() > 0 && givenBytes.addAndGet(range.length()) <= bytes()) {
            given.add(range);
        }
        return range.slice(((MappedMedium) backend.medium).segments(copy));
    }

    /** Whether all bytes were given out to be filled, each once: what was not is whatever these pages held before. */
    boolean tiles() {
        return isWhole || (givenBytes.get() == bytes() && ByteRange.tile(List.copyOf(given), bytes()));
    }

    @Override
    public void progressed() {
        deadlineNanos = sooner(puts.deadlineFrom(puts.now()));
        request.claim().until(deadlineNanos);
    }

    private long sooner(long deadline) {
        return deadline - lastDeadlineNanos < 0 ? deadline : lastDeadlineNanos;
    }

    @Override
    public Answer commit() {
        return commit(request.hints(), request.mode());
    }

    @Override
    public Answer commit(PutHints lateHints, PutMode lateMode, Ends ends) {
        if (!endOnce()) {
            return Answer.FAILED;
        }
        try {
            return puts.commit(this, lateHints, lateMode, ends);
        } finally {
            request.session().ended(this);
        }
    }

    @Override
    public Answer exchange(PutHints lateHints, PutMode lateMode, ReadResult seen, Consumer<ReadResult> old, Ends ends) {
        Commits.Exchanged exchanged = new Commits.Exchanged(Answer.FAILED, new ReadResult.Missed());
        if (endOnce()) {
            try {
                exchanged = puts.exchange(this, lateHints, lateMode, ends);
            } finally {
                request.session().ended(this);
            }
        }
        request.session().handOver(exchanged.old(), seen, old);
        return exchanged.answer();
    }

    @Override
    public void close() {
        end();
    }

    @Override
    void end() {
        if (endOnce()) {
            puts.abort(this);
            request.session().ended(this);
        }
    }

    @Override
    boolean overdue(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    @Override
    String what() {
        return "put";
    }
}
