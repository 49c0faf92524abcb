package io.tidemark.core.medium;

import io.tidemark.core.medium.DeviceHealth.Way;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ends of the copies of an SSD medium. An end is noted in memory, under the lock of the copy's entry; it is on disk before
 * a discard answers, which waits for its mark, and before the pages are written again. An eviction waits for nothing: the
 * keeper writes its end soon.
 *
 * <pre>
 *  note     journal: GONE, not flushed; noted
 *  await    journal flushed up to the mark, by the thread of {@link EndsWriter}
 *  given    noted no more; journal: GONE, unless it was noted before
 * </pre>
 *
 * <p>Thread-safe; no lock of its own.
 */
final class SsdEnds {
    /** Mark of ends on a read-only file system. */
    static final long NEVER_WRITTEN = Long.MAX_VALUE;

    private final String name;
    private final boolean readOnly;
    private final Journal journal;
    private final SsdKeeper keeper;
    private final DeviceHealth health;
    private final NameWatch names;
    private final RecordedAgain recordedAgain;
    private final EndsWriter writer;

    /** Copies whose end is noted and which are not given back yet. */
    private final Set<Long> noted = ConcurrentHashMap.newKeySet();

    SsdEnds(
            String name,
            boolean readOnly,
            Journal journal,
            SsdKeeper keeper,
            DeviceHealth health,
            NameWatch names,
            RecordedAgain recordedAgain) {
        this.name = name;
        this.readOnly = readOnly;
        this.journal = journal;
        this.keeper = keeper;
        this.health = health;
        this.names = names;
        this.recordedAgain = recordedAgain;
        writer = new EndsWriter(name, journal);
    }

    /** Whether the end of this copy is noted, which is not given back yet: its record names a block no more. */
    boolean isNoted(long copy) {
        return noted.contains(copy);
    }

    /** Notes the end of a copy that has a record; the answer is its mark. No I/O. */
    long note(long copy) {
        // First in the set: a checkpoint that begins after the record must not take the block for alive.
        if (!noted.add(copy)) {
            return journal.lastGone();
        }
        try {
            long mark = journal.gone(copy);
            keeper.wake();
            return mark;
        } catch (OutOfMemoryError e) {
            // The free tries again. Until a record comes after all these, who waits for this end hears that it is not
            // written.
            noted.remove(copy);
            return journal.appended() + 1;
        }
    }

    /** A copy with a record is about to be given back: its end is in the journal from here on, in memory at least. */
    void givenBack(long copy) {
        recordedAgain.forget(copy);
        if (!readOnly && !noted.remove(copy)) {
            journal.gone(copy);
            keeper.wake();
        }
    }

    /** Mark of the last end: what is written up to there may have its pages written again. */
    long last() {
        return journal.lastGone();
    }

    /** Whether all ends up to this mark are found by the next start. */
    boolean areWritten(long mark) {
        // Of a file without its name the next start does not see what is written; what was there before does not
        // matter.
        return journal.isFlushed(mark) && (!health.isNameless() || mark <= names.seen());
    }

    /** Begins to write all ends up to this mark; waits for nothing. */
    void begin(long mark) {
        if (!readOnly && !areWritten(mark) && health.works(Way.WRITE)) {
            writer.begin(mark);
        }
    }

    /**
     * Returns once all ends up to this mark are written.
     *
     * @throws IOException when they could not be written within that time; they stay in line
     */
    void await(long mark, long withinMillis) throws IOException {
        if (readOnly) {
            throw new IOException(name + " is read-only: what is discarded comes back with the next start");
        }
        if (!areWritten(mark)) {
            if (!health.works(Way.WRITE)) {
                throw new UnavailableException(
                        name + " is out of use: " + health.health().why());
            }
            writer.await(mark, withinMillis);
        }
    }

    /** Takes no more; what waits is still written. */
    void close() {
        writer.close();
    }

    /** Waits, after the {@link #close}, until nothing is written any more; false: a call still keeps the thread. */
    boolean awaitEnd(long withinMillis) {
        return writer.awaitEnd(withinMillis);
    }
}
