package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyState;
import io.tidemark.core.medium.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks, at a moment when nothing runs, that index, tables of copies, orders, accounts and counters tell the same
 * story. For tests and for the operator's self-check; takes one entry lock at a time.
 */
final class PoolInvariants {
    /** Sums over the entries that name copies in one backend. */
    private static final class Seen {
        long bytes = 0;
        long evictable = 0;
        long pinnedBytes = 0;
        long movingBytes = 0;
    }

    private final EntryIndex index;
    private final TierGraph graph;
    private final Set<TransitionQueue.Source> sources;
    private final List<String> faults = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();

    PoolInvariants(EntryIndex index, TierGraph graph, TransitionQueue transitions) {
        this.index = index;
        this.graph = graph;
        sources = transitions.sources();
        graph.backends().forEach(backend -> seen.add(new Seen()));
    }

    /** What is wrong; empty when nothing is. */
    List<String> faults() {
        for (int number = 0; number < EntryIndex.STRIPES; number++) {
            EntryStripe stripe = index.stripe(number);
            stripe.lock.lock();
            try {
                walk(stripe);
            } finally {
                stripe.lock.unlock();
            }
        }
        graph.backends().forEach(this::account);
        return List.copyOf(faults);
    }

    private void walk(EntryStripe stripe) {
        int live = 0;
        for (int row = 0; row < stripe.rows.end(); row++) {
            if (stripe.rows.live(row)) {
                live++;
                entry(stripe, row);
            }
        }
        expect(live == stripe.size(), "stripe holds " + live + " rows, counts " + stripe.size());
    }

    private void entry(EntryStripe stripe, int row) {
        int id = stripe.entryId(row);
        byte[] key = stripe.key(row);
        expect(stripe.find(key, index.hash(BlockKey.of(key))) == row, "entry " + id + " is not found by its key");
        expect(stripe.rows.firstCell(row) != EntryRows.NONE, "entry " + id + " names no copy");
        for (int cell = stripe.rows.firstCell(row); cell != EntryRows.NONE; cell = stripe.rows.next(cell)) {
            Backend backend = graph.backend(Place.backend(stripe.rows.place(cell)));
            copy(id, backend, stripe.rows.handle(cell));
        }
    }

    private void copy(int id, Backend backend, long copy) {
        CopyState state = backend.copies().state(copy);
        expect(
                state == CopyState.COMMITTED || state == CopyState.MOVING,
                "entry " + id + " names a copy in " + backend.name() + " that is " + state);
        boolean queued = sources.contains(new TransitionQueue.Source(backend.number, copy));
        expect(
                queued == (state == CopyState.MOVING),
                "entry " + id + " names a copy in " + backend.name() + " that is " + state
                        + (queued ? ", and a move of it is queued" : ", and no move of it is queued"));
        expect(
                backend.copies().owner(copy) == id,
                "copy of entry " + id + " has owner " + backend.copies().owner(copy));
        Seen sums = seen.get(backend.number);
        sums.bytes += backend.copies().allocatedBytes(copy);
        sums.pinnedBytes += backend.copies().pins(copy) > 0 ? backend.copies().allocatedBytes(copy) : 0;
        sums.movingBytes += state == CopyState.MOVING ? backend.copies().allocatedBytes(copy) : 0;
        sums.evictable += state == CopyState.COMMITTED && backend.copies().pins(copy) == 0 ? 1 : 0;
    }

    private void account(Backend backend) {
        Ledger.Snapshot ledger = backend.medium.ledger().snapshot();
        Seen sums = seen.get(backend.number);
        String name = backend.name();
        expect(sums.bytes == ledger.resident(), name + ": entries hold " + sums.bytes + " bytes, " + ledger);
        expect(
                !backend.copies().order().isKept()
                        || sums.evictable == backend.copies().order().size(),
                name + ": " + sums.evictable + " copies may go, the order has "
                        + backend.copies().order().size());
        expect(
                backend.counters.balanceBytes() == ledger.resident(),
                name + ": in less out is " + backend.counters.balanceBytes() + " bytes, " + ledger);
        long pinned = backend.copies().pinnedBytes();
        expect(
                sums.pinnedBytes <= pinned && pinned <= sums.pinnedBytes + ledger.doomed(),
                name + ": reads hold " + sums.pinnedBytes + " bytes of entries, counted are " + pinned);
        expect(backend.leasedBytes.get() >= 0, name + ": leased bytes " + backend.leasedBytes);
        expect(
                backend.movingBytes.get() == sums.movingBytes,
                name + ": entries move " + sums.movingBytes + " bytes, counted are " + backend.movingBytes);
    }

    private void expect(boolean holds, String fault) {
        if (!holds) {
            faults.add(fault);
        }
    }
}
