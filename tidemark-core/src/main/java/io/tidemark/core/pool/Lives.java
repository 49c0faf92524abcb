package io.tidemark.core.pool;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * How long entries live, in memory and in the records of media that outlive the process. In memory the monotonic clock counts,
 * in records the wall clock.
 *
 * <p>Who asks about an entry holds the lock of its stripe; the monitor of {@link Expiry} and the locks of media are below it.
 */
final class Lives {
    /** Flag of an entry with a time to live. */
    static final int HAS_TTL = 1;

    /** Longest time to live: a century. Longer ones count as this. */
    private static final long TTL_MAX_MILLIS = TimeUnit.DAYS.toMillis(36_500);

    private final TierGraph graph;
    private final Expiry expiry;
    private final UnwrittenEnds ends;
    private final Clocks clocks;

    Lives(TierGraph graph, Expiry expiry, UnwrittenEnds ends, Clocks clocks) {
        this.graph = graph;
        this.expiry = expiry;
        this.ends = ends;
        this.clocks = clocks;
    }

    /** Whether the entry's time is over: it is still there to be thrown away, and no longer there to be found. */
    boolean isOver(Entry entry) {
        if (!isLimited(entry)) {
            return false;
        }
        long now = clocks.monotonicNanos();
        return expiry.end(entry.id()).stream().anyMatch(end -> end - now <= 0);
    }

    private static boolean isLimited(Entry entry) {
        return entry.rows().flag(entry.row(), HAS_TTL);
    }

    /** Nanoseconds left to live, if the entry has a limit. */
    OptionalLong leftNanos(Entry entry) {
        if (!isLimited(entry)) {
            return OptionalLong.empty();
        }
        OptionalLong end = expiry.end(entry.id());
        return end.isPresent() ? OptionalLong.of(end.getAsLong() - clocks.monotonicNanos()) : end;
    }

    private void set(Entry entry, long fromNanos, OptionalLong ttlMillis) {
        if (ttlMillis.isPresent()) {
            // Ends are compared by their differences, so none may be far in the past either.
            long ttlNanos = TimeUnit.MILLISECONDS.toNanos(Math.clamp(ttlMillis.getAsLong(), -1, TTL_MAX_MILLIS));
            expiry.set(entry.id(), fromNanos + ttlNanos);
        } else if (isLimited(entry)) {
            expiry.forget(entry.id());
        }
        entry.rows().setFlag(entry.row(), HAS_TTL, ttlMillis.isPresent());
    }

    /** Sets the time to live from now, or takes it away; also in the records of media that outlive the process. */
    void change(Entry entry, OptionalLong ttlMillis) {
        boolean changes = ttlMillis.isPresent() || isLimited(entry);
        set(entry, clocks.monotonicNanos(), ttlMillis);
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            Backend backend = graph.backend(Place.backend(rows.place(cell)));
            recordAgain(entry, backend, rows.handle(cell), Place.part(rows.place(cell)));
            if (changes && !backend.medium.recordsEnds()) {
                ends.noteNever(backend, entry.stripe().hash(entry.row()));
            }
        }
    }

    /**
     * Sets an end of life by the wall clock, as a medium recorded it. The monotonic clock is asked first: where the thread has
     * to wait between the two, the life ends early and not late.
     */
    void setEnd(Entry entry, OptionalLong diesAtMillis) {
        if (diesAtMillis.isPresent()) {
            long nowNanos = clocks.monotonicNanos();
            set(entry, nowNanos, OptionalLong.of(diesAtMillis.getAsLong() - clocks.wallMillis()));
        }
    }

    /** Has the medium of a copy record the entry's life of now. */
    void recordAgain(Entry entry, CopyStates.NewCopy copy) {
        recordAgain(entry, copy.backend(), copy.copy(), copy.part());
    }

    private void recordAgain(Entry entry, Backend backend, long copy, int part) {
        long generation = entry.rows().generation(entry.row());
        backend.medium.recordAs(copy, recordKey(entry, part).bytes(), generation);
    }

    /** The key under which a medium records a value that lives this long from now. */
    RecordKey recordKey(BlockKey key, OptionalLong ttlMillis) {
        return recordKey(key, clocks.wallMillis(), ttlMillis);
    }

    private static RecordKey recordKey(BlockKey key, long fromMillis, OptionalLong ttlMillis) {
        return new RecordKey(
                key,
                ttlMillis.isPresent()
                        ? OptionalLong.of(fromMillis + Math.clamp(ttlMillis.getAsLong(), -1, TTL_MAX_MILLIS))
                        : OptionalLong.empty());
    }

    /** The key under which a medium records a part of this entry. As with {@link #setEnd}, a pause ends a life early. */
    RecordKey recordKey(Entry entry, int part) {
        long nowMillis = clocks.wallMillis();
        OptionalLong nanos = leftNanos(entry);
        OptionalLong millis = nanos.isPresent()
                ? OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong()))
                : OptionalLong.empty();
        return recordKey(BlockKey.of(entry.key()).part(part), nowMillis, millis);
    }

    /** The entry is about to be removed. */
    void forget(Entry entry) {
        if (isLimited(entry)) {
            expiry.forget(entry.id());
        }
    }
}
