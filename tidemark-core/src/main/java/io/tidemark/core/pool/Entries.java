package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyState;
import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.pool.StateRules.Below;
import io.tidemark.core.pool.StateRules.Unit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is known of an entry and its copies. Every method needs the lock of the entry's stripe; the locks of copies, leases
 * and expiry, which some take, are leaves below it.
 */
final class Entries {
    /** Flag of an entry that is the unfinished end of a prompt; the other one is {@link Lives#HAS_TTL}. */
    static final int TAIL = 2;

    private final EntryIndex index;
    private final TierGraph graph;
    private final Leases leases;
    private final Lives lives;

    Entries(EntryIndex index, TierGraph graph, Leases leases, Lives lives) {
        this.index = index;
        this.graph = graph;
        this.leases = leases;
        this.lives = lives;
    }

    /** How long entries live. */
    Lives lives() {
        return lives;
    }

    /** The entry with this key, unless its time to live is over. */
    Optional<Entry> find(EntryStripe stripe, long hash, BlockKey key) {
        int row = stripe.find(key.bytes(), hash);
        if (row == EntryRows.NONE) {
            return Optional.empty();
        }
        Entry entry = new Entry(stripe, row);
        return lives.isOver(entry) ? Optional.empty() : Optional.of(entry);
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

    /** Whether lower tiers want the block: not the unfinished end of a prompt, and not a second part on its own. */
    boolean worthKeeping(Entry entry) {
        return !entry.rows().flag(entry.row(), TAIL) && cellOf(entry, 0) != EntryRows.NONE;
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

    /** The cell of the first copy of this part that can be read now, or {@link EntryRows#NONE}. */
    int readableCellOf(Entry entry, int part) {
        EntryRows rows = entry.rows();
        int cell = rows.firstCell(entry.row());
        while (cell != EntryRows.NONE
                && !(Place.part(rows.place(cell)) == part
                        && backendOf(rows, cell).medium.readable())) {
            cell = rows.next(cell);
        }
        return cell;
    }

    /** Numbers of the parts that are there. */
    Set<Integer> parts(Entry entry) {
        Set<Integer> parts = new HashSet<>();
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            parts.add(Place.part(rows.place(cell)));
        }
        return parts;
    }

    Backend backendOf(EntryRows rows, int cell) {
        return graph.backend(Place.backend(rows.place(cell)));
    }

    /** The parts of the block in one backend, as one unit; empty when none is there. */
    Optional<Unit> unit(Entry entry, Backend backend) {
        EntryRows rows = entry.rows();
        boolean here = false;
        boolean committed = true;
        boolean moving = false;
        boolean last = false;
        boolean placement = false;
        long pins = 0;
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            if (backendOf(rows, cell) == backend) {
                int part = Place.part(rows.place(cell));
                CopyState state = backend.copies().state(rows.handle(cell));
                here = true;
                committed &= state == CopyState.COMMITTED;
                moving |= state == CopyState.MOVING;
                last |= !elsewhere(entry, part, other -> other != backend);
                placement |= backendOf(rows, cellOf(entry, part)) == backend;
                pins += backend.copies().pins(rows.handle(cell));
            }
        }
        boolean leased = leases.protects(entry.id());
        return here
                ? Optional.of(new Unit(committed, moving, pins, last, leased, placement, worthKeeping(entry)))
                : Optional.empty();
    }

    /** Whether the entry names a copy at this place. */
    boolean namesAt(Entry entry, int place) {
        EntryRows rows = entry.rows();
        int cell = rows.firstCell(entry.row());
        while (cell != EntryRows.NONE && rows.place(cell) != place) {
            cell = rows.next(cell);
        }
        return cell != EntryRows.NONE;
    }

    /** Whether a copy of the part is in a backend of which the test holds. */
    private boolean elsewhere(Entry entry, int part, Predicate<Backend> test) {
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            if (Place.part(rows.place(cell)) == part && test.test(backendOf(rows, cell))) {
                return true;
            }
        }
        return false;
    }

    /** What the tiers below this backend say about its unit. They hold it when they hold each of its parts. */
    Below below(Entry entry, Backend backend) {
        List<Tier> below = graph.tierOf(backend).below();
        EntryRows rows = entry.rows();
        boolean held = true;
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            if (backendOf(rows, cell) == backend) {
                int part = Place.part(rows.place(cell));
                held &= elsewhere(entry, part, other -> below.contains(graph.tierOf(other)));
            }
        }
        if (held) {
            return Below.HELD;
        }
        if (below.isEmpty()) {
            return Below.NOTHING;
        }
        return graph.worksBelow(backend) ? Below.OPEN : Below.UNHEALTHY;
    }

    /** By this a link knows that the entry is still the one it was made to. */
    short tag(Entry entry) {
        return (short) entry.rows().generation(entry.row());
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

    /** The other parts of the block in the backend of this copy; mostly there are none. */
    List<Long> partsBeside(Entry entry, Backend backend, long copy) {
        if (entry.rows().next(entry.row()) == EntryRows.NONE) {
            return List.of();
        }
        List<Long> parts = new ArrayList<>(2);
        copiesIn(entry, backend, parts);
        parts.remove(copy);
        return parts;
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

    /** Forgets leases and life of an entry that has no copy left, and removes it. */
    void remove(Entry entry) {
        leases.forget(entry.id());
        lives.forget(entry);
        entry.stripe().remove(entry.row());
    }
}
