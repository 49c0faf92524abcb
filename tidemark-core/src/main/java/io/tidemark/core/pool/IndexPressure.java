package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyState;
import io.tidemark.core.medium.Offer;
import io.tidemark.core.medium.OfferBudget;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps the index below its cap: whole blocks go, from every tier at once, because a block that is moved down keeps its
 * row. The order is that of the backends, the lowest tier first. Passes come from one thread.
 */
final class IndexPressure {
    private static final int BATCH = 64;

    private final IndexSpace space;
    private final TierGraph graph;
    private final EntryIndex index;
    private final Entries entries;
    private final CopyStates states;
    private final Leases leases;
    private final Evictions evictions;
    private final LongAdder evicted = new LongAdder();

    IndexPressure(IndexSpace space, TierGraph graph, Blocks blocks, Leases leases, Evictions evictions) {
        this.space = space;
        this.graph = graph;
        index = blocks.index();
        entries = blocks.entries();
        states = blocks.states();
        this.leases = leases;
        this.evictions = evictions;
    }

    /** Evicts blocks until the index is at its low mark and has what a refused put wanted, or nothing more may go. */
    void pass() {
        long need = space.needBytes();
        if (need <= 0) {
            return;
        }
        long goal = space.usedBytes() - need;
        for (Tier tier : graph.tiers().reversed()) {
            for (Backend backend : tier.fullestFirst()) {
                drain(backend, goal);
            }
        }
    }

    private void drain(Backend backend, long goalBytes) {
        boolean gone = true;
        while (gone && space.usedBytes() > goalBytes) {
            gone = false;
            for (Offer<Long> offer : offers(backend)) {
                if (space.usedBytes() > goalBytes) {
                    gone |= drop(backend, offer.handle());
                }
            }
        }
    }

    private List<Offer<Long>> offers(Backend backend) {
        return backend.copies()
                .order()
                .offers(
                        new OfferBudget(Long.MAX_VALUE, BATCH),
                        copy -> !leases.protects(backend.copies().owner(copy)));
    }

    /** Drops the block that owns the copy, unless something holds a copy of it. */
    private boolean drop(Backend backend, long copy) {
        int id = backend.copies().owner(copy);
        if (id < 0) {
            return false;
        }
        EntryStripe stripe = index.stripeOf(id);
        List<Doomed> doomed = List.of();
        stripe.lock.lock();
        try {
            Optional<Entry> entry = entries.owner(id, backend, copy);
            if (entry.isPresent() && mayGo(entry.get())) {
                doomed = states.dropAll(entry.get(), Left.CAPACITY);
                evicted.increment();
            }
        } finally {
            stripe.lock.unlock();
        }
        evictions.free(doomed);
        return !doomed.isEmpty();
    }

    private boolean mayGo(Entry entry) {
        boolean free = !leases.protects(entry.id());
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            Backend backend = entries.backendOf(rows, cell);
            long copy = rows.handle(cell);
            free &= backend.copies().state(copy) == CopyState.COMMITTED
                    && backend.copies().pins(copy) == 0;
        }
        return free;
    }

    void show(CounterVisitor visitor) {
        visitor.counter("tidemark_index_evictions_total", "Blocks dropped to make room in the index.", evicted.sum());
        space.show(visitor);
    }
}
