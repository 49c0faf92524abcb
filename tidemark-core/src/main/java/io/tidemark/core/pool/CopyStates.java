package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyState;
import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.pool.Transition.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The one place where the copies of entries change state: published, pinned, moved, taken out of sight. Every method
 * needs the lock of the entry's stripe. Nothing is freed here: what is to be freed is answered.
 */
final class CopyStates {
    /** A sealed reservation that is to be findable: one part of a block, in one backend. */
    record NewCopy(Backend backend, long copy, int part, long generation, Stored how) {
        int place() {
            return Place.of(backend.number, part);
        }
    }

    /**
     * A sealed put, and what its publication needs.
     *
     * @param record what the medium records as the key
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record SealedPut(EntryStripe stripe, long hash, BlockKey key, NewCopy made, byte[] record) {}

    /** Chooses copies by handle and place. */
    private interface CopyTest {
        boolean test(long copy, int place);
    }

    private final TierGraph graph;
    private final Entries entries;
    private final UnwrittenEnds ends;

    CopyStates(TierGraph graph, Entries entries, UnwrittenEnds ends) {
        this.graph = graph;
        this.entries = entries;
        this.ends = ends;
    }

    /**
     * Makes new values findable, each of one part, and takes every older copy of these parts out of sight: all of them, or
     * none where one cannot be committed. Rows come first, then the media commit, then the rows name the copies: before
     * that nobody finds them. Needs the locks of all the stripes.
     *
     * @param doomed receives what goes out of sight, whatever happens
     * @return false: nothing is stored, the reservations are to be aborted
     */
    boolean publish(List<SealedPut> puts, PutHints hints, Optional<Chains.Link> parent, List<Doomed> doomed) {
        List<Entry> made = new ArrayList<>(puts.size());
        int committed = 0;
        try {
            for (SealedPut put : puts) {
                made.add(entryFor(put, doomed));
            }
            while (committed < puts.size() && commitPut(puts.get(committed))) {
                committed++;
            }
        } finally {
            if (committed < puts.size()) {
                undo(puts.subList(0, committed), made, doomed);
            }
        }
        boolean all = committed == puts.size();
        for (int i = 0; all && i < puts.size(); i++) {
            show(puts.get(i), made.get(i), hints, parent, doomed);
        }
        return all;
    }

    /** The entry of the key: the one that is there, unless its time is over, or one that names no copy yet. */
    private Entry entryFor(SealedPut put, List<Doomed> doomed) {
        int row = put.stripe().find(put.key().bytes(), put.hash());
        if (row != EntryRows.NONE && entries.lives().isOver(new Entry(put.stripe(), row))) {
            doomed.addAll(dropAll(new Entry(put.stripe(), row), Left.EXPIRED));
            row = EntryRows.NONE;
        }
        return new Entry(
                put.stripe(),
                row != EntryRows.NONE
                        ? row
                        : put.stripe()
                                .add(put.key().bytes(), put.hash(), put.made().generation()));
    }

    private static boolean commitPut(SealedPut put) {
        identify(put.made(), put.hash());
        return commit(put.made(), put.record());
    }

    /** Takes back what a batch did before one of it failed. */
    private static void undo(List<SealedPut> committed, List<Entry> made, List<Doomed> doomed) {
        for (SealedPut put : committed) {
            Backend backend = put.made().backend();
            backend.counters.left(
                    Left.CLEARED, backend.copies().allocatedBytes(put.made().copy()));
            backend.copies().doom(put.made().copy());
            doomed.add(Doomed.unpinned(backend, put.made().copy()));
        }
        for (Entry entry : made) {
            if (entry.rows().live(entry.row()) && entry.rows().firstCell(entry.row()) == EntryRows.NONE) {
                entry.stripe().remove(entry.row());
            }
        }
    }

    private void show(SealedPut put, Entry entry, PutHints hints, Optional<Chains.Link> parent, List<Doomed> doomed) {
        NewCopy made = put.made();
        EntryRows rows = entry.rows();
        boolean isNew = rows.firstCell(entry.row()) == EntryRows.NONE;
        rows.addCopy(entry.row(), made.copy(), made.place(), true);
        if (!isNew) {
            doomed.addAll(dropOthers(entry, made));
        }
        rows.setGeneration(entry.row(), Math.max(rows.generation(entry.row()), made.generation()));
        rows.setFlag(entry.row(), Entries.TAIL, hints.incompleteTail());
        parent.ifPresent(link -> rows.setParent(entry.row(), link.entry(), link.tag()));
        if (isNew || !hints.keepsLife()) {
            entries.lives().change(entry, hints.ttlMillis());
        }
        describe(entry, hints.priority());
    }

    /**
     * A put brought what is there already. Its parent and priority count from now on; a block that was put whole is no
     * tail any more, and a whole one does not become a tail again.
     */
    void describeAgain(Entry entry, PutHints hints, Optional<Chains.Link> parent) {
        EntryRows rows = entry.rows();
        boolean wasTail = rows.flag(entry.row(), Entries.TAIL);
        rows.setFlag(entry.row(), Entries.TAIL, wasTail && hints.incompleteTail());
        parent.ifPresent(link -> rows.setParent(entry.row(), link.entry(), link.tag()));
        describe(entry, hints.priority());
    }

    /** Adds a copy of a part that the entry holds elsewhere: where reads look first, or last. */
    boolean publishCopy(Entry entry, NewCopy made, boolean first) {
        if (made.backend().copies().order().knowsBlocksAgain()) {
            identify(made, entry.stripe().hash(entry.row()));
        }
        if (!commit(made, entries.lives().recordKey(entry, made.part()).bytes())) {
            return false;
        }
        int priority = priority(entry, made.part());
        entry.rows().addCopy(entry.row(), made.copy(), made.place(), first);
        made.backend().copies().describe(made.copy(), entry.id(), priority, !entries.worthKeeping(entry));
        return true;
    }

    /** The priority of the copy that this part has already. */
    private int priority(Entry entry, int part) {
        int cell = entries.cellOf(entry, part);
        return cell == EntryRows.NONE
                ? 0
                : entries.backendOf(entry.rows(), cell)
                        .copies()
                        .order()
                        .priority(entry.rows().handle(cell));
    }

    /** Tells a policy that knows blocks again which part of which block this is. */
    private static void identify(NewCopy made, long hash) {
        if (made.backend().copies().order().knowsBlocksAgain()) {
            made.backend().copies().order().identify(made.copy(), hash + made.part());
        }
    }

    private static boolean commit(NewCopy made, byte[] recordKey) {
        Backend backend = made.backend();
        try {
            if (!backend.medium.commit(made.copy(), recordKey, made.generation())) {
                return false;
            }
        } catch (IOException e) {
            return false;
        }
        backend.counters.stored(made.how(), backend.allocated(backend.copies().lengthHeld(made.copy())));
        return true;
    }

    /** Names a copy that a medium brought from an earlier process. */
    void adopt(Entry entry, RecordKey record, NewCopy found) {
        EntryRows rows = entry.rows();
        rows.addCopy(entry.row(), found.copy(), found.place(), false);
        rows.setGeneration(entry.row(), Math.max(rows.generation(entry.row()), found.generation()));
        entries.lives().setEnd(entry, record.diesAtMillis());
        found.backend().copies().adopted(found.copy(), entry.id());
    }

    /** All copies of an earlier process are named: a second part on its own goes with the first victims. */
    void adopted(EntryStripe stripe, long hash, BlockKey key) {
        int row = stripe.find(key.bytes(), hash);
        if (row != EntryRows.NONE && !entries.worthKeeping(new Entry(stripe, row))) {
            describe(new Entry(stripe, row), 0);
        }
    }

    /** Takes every copy of one part out of sight. */
    List<Doomed> dropPart(Entry entry, int part, Left why) {
        return dropWhere(entry, why, (copy, place) -> Place.part(place) == part);
    }

    /** Takes every copy of the part but the new one out of sight. */
    private List<Doomed> dropOthers(Entry entry, NewCopy made) {
        return dropWhere(
                entry,
                Left.OVERWRITTEN,
                (copy, place) -> Place.part(place) == made.part() && !(copy == made.copy() && place == made.place()));
    }

    /** Tells the orders about the entry's copies: a second part on its own goes with the first victims. */
    private void describe(Entry entry, int priority) {
        boolean tail = !entries.worthKeeping(entry);
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            entries.backendOf(rows, cell).copies().describe(rows.handle(cell), entry.id(), priority, tail);
        }
    }

    /** Takes every part in this backend out of sight. An entry without copies is removed. */
    List<Doomed> drop(Entry entry, Backend backend, Left why) {
        return dropWhere(entry, why, (copy, place) -> Place.backend(place) == backend.number);
    }

    /** Takes these copies, of the entry, out of sight; parts that came beside them stay. */
    List<Doomed> drop(Entry entry, Backend backend, List<Long> copies, Left why) {
        return dropWhere(entry, why, (copy, place) -> Place.backend(place) == backend.number && copies.contains(copy));
    }

    /** Takes every copy out of sight and removes the entry. */
    List<Doomed> dropAll(Entry entry, Left why) {
        return dropWhere(entry, why, (copy, place) -> true);
    }

    private List<Doomed> dropWhere(Entry entry, Left why, CopyTest test) {
        List<Doomed> doomed = new ArrayList<>(2);
        EntryRows rows = entry.rows();
        int cell = rows.firstCell(entry.row());
        while (cell != EntryRows.NONE) {
            if (test.test(rows.handle(cell), rows.place(cell))) {
                doomed.add(doom(entry, rows.handle(cell), rows.place(cell), why));
                cell = rows.firstCell(entry.row());
            } else {
                cell = rows.next(cell);
            }
        }
        if (rows.firstCell(entry.row()) == EntryRows.NONE) {
            entries.remove(entry);
        } else if (!doomed.isEmpty() && !entries.worthKeeping(entry)) {
            describe(entry, 0);
        }
        return doomed;
    }

    private Doomed doom(Entry entry, long copy, int place, Left why) {
        Backend backend = graph.backend(Place.backend(place));
        CopyTable copies = backend.copies();
        boolean pinned = copies.pins(copy) > 0;
        boolean moving = copies.state(copy) == CopyState.MOVING;
        long bytes = copies.allocatedBytes(copy);
        Doomed doomed = new Doomed(backend, copy, pinned, pinned && moving);
        if (!copies.doom(copy)) {
            throw new IllegalStateException("entry " + entry.id() + " names a copy in " + backend.name()
                    + " that cannot be found: " + copies.state(copy));
        }
        try {
            // A life that is over is on record where it began, and where it was changed without that, this is noted
            // already.
            boolean onRecord = why == Left.EXPIRED && entries.lives().isOver(entry);
            if (!onRecord || backend.medium.recordsEnds()) {
                ends.note(backend, copy, () -> entry.stripe().hash(entry.row()));
            }
        } finally { // whatever happens: an entry that names a copy that is doomed could never be changed again
            entry.rows().removeCopy(entry.row(), copy, place);
            backend.counters.left(why, bytes);
            if (moving) {
                backend.movingBytes.addAndGet(-bytes); // it leaves as a doomed copy now, and is counted as such
            }
        }
        return doomed;
    }

    /**
     * Makes all of these copies the source of a move, or none; answers their allocated bytes, or -1 when they may not move.
     * Who begins a move sees to it that it is carried out or {@linkplain #cancelMove given up}, whatever happens.
     */
    long beginMove(Backend backend, List<Part> parts) {
        CopyTable copies = backend.copies();
        long bytes = 0;
        int begun = 0;
        try {
            while (begun < parts.size() && copies.beginMove(parts.get(begun).copy())) {
                bytes += copies.allocatedBytes(parts.get(begun).copy());
                begun++;
            }
        } finally {
            for (int i = 0; i < begun && begun < parts.size(); i++) {
                copies.endMove(parts.get(i).copy());
            }
        }
        if (begun < parts.size()) {
            return -1;
        }
        backend.movingBytes.addAndGet(bytes);
        return bytes;
    }

    /** Gives up the move of these copies: those that are still there stay where they are, as the coldest. Asks for no memory. */
    void cancelMove(Backend backend, List<Part> parts) {
        CopyTable copies = backend.copies();
        for (int i = 0; i < parts.size(); i++) {
            long copy = parts.get(i).copy();
            if (copies.state(copy) == CopyState.MOVING) {
                backend.movingBytes.addAndGet(-copies.allocatedBytes(copy));
                copies.endMove(copy);
            }
        }
    }
}
