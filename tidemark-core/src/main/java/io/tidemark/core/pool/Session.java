package io.tidemark.core.pool;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One client of the pool, usually one connection. It owns the reservations, pins and leases made through it, and
 * closing it ends them all. Calls on one session may come from one thread at a time.
 */
public final class Session implements AutoCloseable {
    private final String name;
    private final Optional<SessionOwner> owner;
    private final PoolCore core;
    /** What the session holds now. Guarded by this. */
    private final TokenList tokens = new TokenList();

    private boolean closed = false;
    private boolean ownerTold = false;
    /** Number of leases; changed under the monitor of {@link Leases}. */
    final AtomicInteger leases = new AtomicInteger();

    Session(String name, Optional<SessionOwner> owner, PoolCore core) {
        this.name = name;
        this.owner = owner;
        this.core = core;
    }

    /** Who this session is for, as given when it was opened. */
    public String owner() {
        return name;
    }

    /**
     * Asks for space for a block, without waiting. A refusal changes nothing about the block that is there; see
     * {@link #foundAgain}.
     */
    public Reserved reserve(BlockKey key, long bytes, PutHints hints, PutMode mode) {
        return core.puts().reserve(this, key, bytes, hints, mode);
    }

    /**
     * A put was answered EXISTS: its hints count for the block that is there from now on, except for its time to live. A
     * block that was put whole once is no tail again.
     */
    public void foundAgain(BlockKey key, PutHints hints) {
        core.puts().foundAgain(key, hints);
    }

    /**
     * Calls {@code retry} once, from another thread, as soon as this session's turn has come and the bytes are free, or the
     * time is over; for a {@link #reserve} that was answered NO_SPACE. The space is kept for a moment: no put that came
     * later takes it. False when too many wait already, or where nothing is ever evicted and nothing is on its way out: do
     * not wait.
     */
    public boolean awaitSpace(long bytes, long timeoutMillis, Runnable retry) {
        return core.puts().awaitSpace(this, bytes, timeoutMillis, retry);
    }

    /** Finds a block and pins it for reading. Waits for a device where the block is only there: 5 s at most. */
    public ReadResult read(BlockKey key) {
        return core.reads().read(this, key, Ranges.WHOLE);
    }

    /**
     * As {@link #read(BlockKey)}, without waiting: answers at once where the bytes are at hand, else from a thread of the
     * pool, which the answer must not block.
     */
    public void read(BlockKey key, Consumer<ReadResult> answer) {
        core.reads().read(this, key, Ranges.WHOLE, answer);
    }

    /**
     * As {@link #read(BlockKey)}, of parts of the value: only those are moved, and from a device only the units that can be
     * verified alone (64 KiB).
     */
    public ReadResult readRanges(BlockKey key, Ranges ranges) {
        return core.reads().read(this, key, ranges);
    }

    /** As {@link #read(BlockKey, Consumer)}, of parts of the value. */
    public void readRanges(BlockKey key, Ranges ranges, Consumer<ReadResult> answer) {
        core.reads().read(this, key, ranges, answer);
    }

    /**
     * The size of a block in bytes, or empty when it is not there or on a device that is out of use. Takes the bounded lease of a look-up on the block
     * (2 s by default, ended by its first read) where the caps allow; it does not touch the order.
     */
    public OptionalLong lookup(BlockKey key) {
        return core.lookups().lookup(this, key);
    }

    /**
     * Commits a batch at one moment, whatever its keys hold ({@link PutMode#REPLACE}): nobody finds some of the new values
     * and not the others. Of equal keys the last one counts. STORED, or FAILED: then every key holds what it held.
     */
    public Answer commitTogether(List<? extends Reserved.Reservation> batch, PutHints hints) {
        return commitTogether(batch, hints, Ends.awaited());
    }

    /** As above; {@code ends} says who waits for the ends of older copies. */
    public Answer commitTogether(List<? extends Reserved.Reservation> batch, PutHints hints, Ends ends) {
        return core.puts().commitTogether(batch, hints, ends);
    }

    /** Bytes of this session's unfinished puts arrived: each of them has its whole time again. */
    public synchronized void progressed() {
        for (SessionToken token : tokens.all()) {
            if (token instanceof ReservedPut put) {
                put.progressed();
            }
        }
    }

    @Override
    public void close() {
        List<SessionToken> held;
        synchronized (this) {
            closed = true;
            held = tokens.all();
        }
        held.forEach(SessionToken::end);
        core.leases().release(this);
        core.open().remove(this);
    }

    /** Answers with the value that a put of this session has replaced. */
    void handOver(ReadResult old, ReadResult seen, Consumer<ReadResult> answer) {
        core.reads().handOver(this, old, seen, answer);
    }

    /** Takes charge of a token; false when the session is closed. */
    synchronized boolean holds(SessionToken token) {
        if (!closed) {
            tokens.add(token);
        }
        return !closed;
    }

    synchronized void ended(SessionToken token) {
        tokens.remove(token);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Number of tokens of a kind held now. */
    synchronized long held(Class<? extends SessionToken> kind) {
        return tokens.all().stream().filter(kind::isInstance).count();
    }

    /** Ends what is overdue, or tells the owner, once, to close the session. Answers how much is overdue. */
    int endOverdue(long nowNanos) {
        List<SessionToken> overdue;
        boolean tell;
        synchronized (this) {
            if (tokens.isEmpty()) {
                return 0;
            }
            overdue = tokens.all().stream()
                    .filter(token -> token.overdue(nowNanos))
                    .toList();
            tell = owner.isPresent() && !overdue.isEmpty() && !ownerTold;
            ownerTold |= tell;
        }
        if (tell) {
            owner.get().overdue(overdue.getFirst().what());
        } else if (owner.isEmpty()) {
            overdue.forEach(SessionToken::end);
        }
        return tell || owner.isEmpty() ? overdue.size() : 0;
    }
}
