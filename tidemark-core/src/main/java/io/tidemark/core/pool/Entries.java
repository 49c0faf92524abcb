package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyState;
import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.pool.StateRules.Below;
import io.tidemark.core.pool.StateRules.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The one place where the copies of entries change state: published, pinned, moved, taken out of sight. Every method
 * needs the lock of the entry's stripe, and touches copies, leases and expiry, whose locks are leaves below it. What is
 * to be freed is answered, never freed here.
 */
final class Entries {
    /** Flag of an entry with a time to live. */
    static final int HAS_TTL = 1;
    /** Flag of an entry that is the unfinished end of a prompt. */
    static final int TAIL = 2;

    /** Longest time to live: a century. Longer ones count as this. */
    private static final long TTL_MAX_MILLIS = TimeUnit.DAYS.toMillis(36_500);

    private final EntryIndex index;
    private final TierGraph graph;
    private final Leases leases;
    private final Expiry expiry;
    private final Clocks clocks;

    Entries(EntryIndex index, TierGraph graph, Leases leases, Expiry expiry, Clocks clocks) {
        this.index = index;
        this.graph = graph;
        this.leases = leases;
        this.expiry = expiry;
        this.clocks = clocks;
    }

    /** The entry with this key, unless its time to live is over. */
    Optional<Entry> find(EntryStripe stripe, long hash, BlockKey key) {
        int row = stripe.find(key.bytes(), hash);
        if (row == EntryRows.NONE) {
            return Optional.empty();
        }
        Entry entry = new Entry(stripe, row);
        return expired(entry) ? Optional.empty() : Optional.of(entry);
    }

    /** The entry with this id, when it names the copy. */
    Optional<Entry> owner(int id, Backend backend, long copy) {
        EntryStripe stripe = index.stripeOf(id);
        int row = EntryIndex.rowOf(id);
        if (!stripe.rows.live(row)) {
            return Optional.empty();
        }
        for (int cell = stripe.rows.firstCell(row); cell != EntryRows.NONE; cell = stripe.rows.next(cell)) {
            if (stripe.rows.handle(cell) == copy && backendOf(stripe.rows, cell) == backend) {
                return Optional.of(new Entry(stripe, row));
            }
        }
        return Optional.empty();
    }

    boolean expired(Entry entry) {
        if (!entry.rows().flag(entry.row(), HAS_TTL)) {
            return false;
        }
        long now = clocks.monotonicNanos();
        return expiry.end(entry.id()).stream().anyMatch(end -> end - now <= 0);
    }

    /** The cell of the copy that reads of this part use. */
    int cellOf(Entry entry, int part) {
        EntryRows rows = entry.rows();
        int cell = rows.firstCell(entry.row());
        while (cell != EntryRows.NONE && Place.part(rows.place(cell)) != part) {
            cell = rows.next(cell);
        }
        return cell;
    }

    /** The backend that reads use first. */
    Backend placement(Entry entry) {
        return backendOf(entry.rows(), entry.rows().firstCell(entry.row()));
    }

    Backend backendOf(EntryRows rows, int cell) {
        return graph.backend(Place.backend(rows.place(cell)));
    }

    /** The parts of the block in one backend, as one unit; empty when none is there. */
    Optional<Unit> unit(Entry entry, Backend backend) {
        EntryRows rows = entry.rows();
        boolean here = false;
        boolean elsewhere = false;
        boolean committed = true;
        boolean moving = false;
        long pins = 0;
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            if (backendOf(rows, cell) != backend) {
                elsewhere = true;
                continue;
            }
            here = true;
            CopyState state = backend.copies().state(rows.handle(cell));
            committed &= state == CopyState.COMMITTED;
            moving |= state == CopyState.MOVING;
            pins += backend.copies().pins(rows.handle(cell));
        }
        if (!here) {
            return Optional.empty();
        }
        boolean leased = leases.protects(entry.id());
        return Optional.of(new Unit(committed, moving, pins, !elsewhere, leased, placement(entry) == backend));
    }

    /** Whether a tier below this backend holds the block already. */
    Below below(Entry entry, Backend backend) {
        List<Tier> below = graph.tierOf(backend).below();
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            if (below.contains(graph.tierOf(backendOf(rows, cell)))) {
                return Below.HELD;
            }
        }
        return below.isEmpty() ? Below.NOTHING : Below.OPEN;
    }

    /** Takes every part in this backend out of sight. An entry without copies is removed. */
    List<Doomed> drop(Entry entry, Backend backend, Left why) {
        return dropWhere(entry, why, (copy, place) -> Place.backend(place) == backend.number);
    }

    /** Takes every copy out of sight and removes the entry. */
    List<Doomed> dropAll(Entry entry, Left why) {
        return dropWhere(entry, why, (copy, place) -> true);
    }

    /** A copy that was made durable and is not yet findable. */
    record NewCopy(Backend backend, long copy, long generation, Stored how) {}

    /**
     * Makes a new value of one part findable, and takes every older copy of that part out of sight. A value that was
     * overtaken by one of a higher generation is its predecessor, gone already.
     */
    List<Doomed> publish(
            EntryStripe stripe, long hash, BlockKey key, NewCopy made, PutHints hints, Optional<Chains.Link> parent) {
        List<Doomed> doomed = new ArrayList<>(dropExpired(stripe, hash, key));
        int row = stripe.find(key.bytes(), hash);
        if (row != EntryRows.NONE && stripe.rows.generation(row) > made.generation()) {
            doomed.addAll(unpublished(made));
            return doomed;
        }
        Entry entry = new Entry(stripe, row != EntryRows.NONE ? row : stripe.add(key.bytes(), hash, made.generation()));
        EntryRows rows = stripe.rows;
        int place = Place.of(made.backend().number, key.part());
        rows.addCopy(entry.row(), made.copy(), place, true);
        doomed.addAll(dropWhere(
                entry,
                Left.OVERWRITTEN,
                (copy, where) -> Place.part(where) == key.part() && !(copy == made.copy() && where == place)));
        rows.setGeneration(entry.row(), made.generation());
        rows.setFlag(entry.row(), TAIL, hints.incompleteTail());
        parent.ifPresent(link -> rows.setParent(entry.row(), link.entry(), link.tag()));
        setLife(entry, hints.ttlMillis());
        describe(entry, made.backend(), made.copy(), hints.priority());
        made.backend().counters.stored(made.how(), made.backend().copies().allocatedBytes(made.copy()));
        return doomed;
    }

    /** Takes a copy that was never findable out of its medium's sight. */
    List<Doomed> unpublished(NewCopy made) {
        made.backend().copies().doom(made.copy());
        return List.of(new Doomed(made.backend(), made.copy()));
    }

    private List<Doomed> dropExpired(EntryStripe stripe, long hash, BlockKey key) {
        int row = stripe.find(key.bytes(), hash);
        if (row == EntryRows.NONE || !expired(new Entry(stripe, row))) {
            return List.of();
        }
        return dropAll(new Entry(stripe, row), Left.EXPIRED);
    }

    /** Tells the order about the entry's copies: a second part without a first goes with the first victims. */
    private void describe(Entry entry, Backend backend, long copy, int priority) {
        boolean whole = cellOf(entry, 0) != EntryRows.NONE;
        boolean tail = entry.rows().flag(entry.row(), TAIL);
        backend.copies().describe(copy, entry.id(), priority, tail || !whole);
        int second = whole ? cellOf(entry, 1) : EntryRows.NONE;
        if (second != EntryRows.NONE && entry.rows().handle(second) != copy) {
            CopyTable table = backendOf(entry.rows(), second).copies();
            table.describe(entry.rows().handle(second), entry.id(), priority, tail);
        }
    }

    /** Sets the time to live from now, or takes it away. */
    void setLife(Entry entry, OptionalLong ttlMillis) {
        if (ttlMillis.isPresent()) {
            long ttlNanos = TimeUnit.MILLISECONDS.toNanos(Math.min(ttlMillis.getAsLong(), TTL_MAX_MILLIS));
            expiry.set(entry.id(), clocks.monotonicNanos() + ttlNanos);
        } else if (entry.rows().flag(entry.row(), HAS_TTL)) {
            expiry.forget(entry.id());
        }
        entry.rows().setFlag(entry.row(), HAS_TTL, ttlMillis.isPresent());
    }

    /** Nanoseconds left to live, if the entry has a limit. */
    OptionalLong lifeNanos(Entry entry) {
        if (!entry.rows().flag(entry.row(), HAS_TTL)) {
            return OptionalLong.empty();
        }
        OptionalLong end = expiry.end(entry.id());
        return end.isPresent() ? OptionalLong.of(end.getAsLong() - clocks.monotonicNanos()) : end;
    }

    /** Whether one more pin on the copy keeps within the share of the backend; a backend's only pin always does. */
    boolean mayPin(Backend backend, long copy, double share) {
        CopyTable copies = backend.copies();
        if (copies.pins(copy) > 0) {
            return true;
        }
        long pinned = backend.pinnedBytes.get();
        return pinned == 0 || pinned + copies.allocatedBytes(copy) <= backend.capacityBytes() * share;
    }

    /** Pins a copy. False when it cannot be pinned. */
    boolean pin(Backend backend, long copy) {
        boolean first = backend.copies().pins(copy) == 0;
        if (!backend.copies().pin(copy)) {
            return false;
        }
        if (first) {
            backend.pinnedBytes.addAndGet(backend.copies().allocatedBytes(copy));
        }
        return true;
    }

    /** Takes a pin back. True when the copy is out of sight and this was its last pin: it is to be freed. */
    boolean unpin(Backend backend, long copy) {
        if (backend.copies().pins(copy) == 1) {
            backend.pinnedBytes.addAndGet(-backend.copies().allocatedBytes(copy));
        }
        return backend.copies().unpin(copy);
    }

    /** By this a link knows that the entry is still the one it was made to. */
    int tag(Entry entry) {
        return (int) entry.rows().generation(entry.row());
    }

    /** The entry that a link was made to. */
    Optional<Entry> linked(Chains.Link link) {
        EntryStripe stripe = index.stripeOf(link.entry());
        Entry entry = new Entry(stripe, EntryIndex.rowOf(link.entry()));
        return stripe.rows.live(entry.row()) && tag(entry) == link.tag() ? Optional.of(entry) : Optional.empty();
    }

    /** The link to the block before this one in its chain. */
    Optional<Chains.Link> parent(Entry entry) {
        int parent = entry.rows().parent(entry.row());
        return parent == EntryRows.NONE
                ? Optional.empty()
                : Optional.of(new Chains.Link(parent, entry.rows().parentTag(entry.row())));
    }

    /** Adds the entry's copies in one backend to a list. */
    void copiesIn(Entry entry, Backend backend, List<Long> into) {
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            if (backendOf(rows, cell) == backend) {
                into.add(rows.handle(cell));
            }
        }
    }

    /** Every copy, placement first; the parts in one backend are one line. */
    List<CopyInfo> copies(Entry entry) {
        List<CopyInfo> copies = new ArrayList<>();
        List<Backend> seen = new ArrayList<>();
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            Backend backend = backendOf(rows, cell);
            if (!seen.contains(backend)) {
                seen.add(backend);
                copies.add(copyInfo(entry, backend));
            }
        }
        return copies;
    }

    private CopyInfo copyInfo(Entry entry, Backend backend) {
        List<Long> handles = new ArrayList<>(2);
        copiesIn(entry, backend, handles);
        CopyTable table = backend.copies();
        long bytes = handles.stream().mapToLong(table::allocatedBytes).sum();
        int pins = handles.stream().mapToInt(table::pins).sum();
        boolean moving = handles.stream().anyMatch(copy -> table.state(copy) == CopyState.MOVING);
        CopyState state = moving ? CopyState.MOVING : CopyState.COMMITTED;
        return new CopyInfo(backend.tier.name(), backend.name(), state, pins, bytes);
    }

    /** Chooses copies by handle and place. */
    private interface CopyTest {
        boolean test(long copy, int place);
    }

    private List<Doomed> dropWhere(Entry entry, Left why, CopyTest test) {
        List<Doomed> doomed = new ArrayList<>(2);
        EntryRows rows = entry.rows();
        int cell = rows.firstCell(entry.row());
        while (cell != EntryRows.NONE) {
            if (test.test(rows.handle(cell), rows.place(cell))) {
                doom(entry, rows.handle(cell), rows.place(cell), why, doomed);
                cell = rows.firstCell(entry.row());
            } else {
                cell = rows.next(cell);
            }
        }
        if (rows.firstCell(entry.row()) == EntryRows.NONE) {
            remove(entry);
        }
        return doomed;
    }

    private void doom(Entry entry, long copy, int place, Left why, List<Doomed> doomed) {
        Backend backend = graph.backend(Place.backend(place));
        CopyTable copies = backend.copies();
        boolean pinned = copies.pins(copy) > 0;
        long bytes = copies.allocatedBytes(copy);
        if (!copies.doom(copy)) {
            throw new IllegalStateException("entry " + entry.id() + " names a copy in " + backend.name()
                    + " that cannot be found: " + copies.state(copy));
        }
        entry.rows().removeCopy(entry.row(), copy, place);
        backend.counters.left(why, bytes);
        if (!pinned) {
            doomed.add(new Doomed(backend, copy));
        }
    }

    private void remove(Entry entry) {
        leases.forget(entry.id());
        if (entry.rows().flag(entry.row(), HAS_TTL)) {
            expiry.forget(entry.id());
        }
        entry.stripe().remove(entry.row());
    }
}
