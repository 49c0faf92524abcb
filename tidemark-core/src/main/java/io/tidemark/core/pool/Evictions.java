package io.tidemark.core.pool;

import io.tidemark.core.pool.Evictor.Eviction;
import io.tidemark.core.pool.StateRules.Below;
import io.tidemark.core.pool.StateRules.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The one eviction path: decides under the entry lock what goes, takes it out of sight, and has the backend's
 * {@link Evictor} free it after the lock. Watermark worker, operator, deletes, expiry, clear and overwrites all end here.
 */
final class Evictions {
    /** Rows that one hold of an entry lock clears at most. */
    private static final int CLEAR_SLICE = 512;

    private final EntryIndex index;
    private final Entries entries;
    private final CopyStates states;
    private final TransitionQueue transitions;
    private final TransitionCounters counters;
    private final TierGraph graph;
    private final Leases leases;
    private final Runnable freed;
    private final List<Evictor<Long>> evictors = new ArrayList<>();
    private final Settlement settlement;

    /** @param freed called after bytes came back; must not block */
    Evictions(
            Blocks blocks,
            TierGraph graph,
            Settlement settlement,
            Leases leases,
            TransitionQueue transitions,
            TransitionCounters counters,
            Runnable freed,
            PoolConfig config) {
        index = blocks.index();
        entries = blocks.entries();
        states = blocks.states();
        this.transitions = transitions;
        this.counters = counters;
        this.graph = graph;
        this.leases = leases;
        this.settlement = settlement;
        this.freed = freed;
        for (Backend backend : graph.backends()) {
            evictors.add(new Evictor<>(
                    backend.tier.marks(),
                    backend,
                    (budget, parked) ->
                            backend.copies().order().offers(budget, copy -> !parked.test(copy) && mayGo(backend, copy)),
                    copy -> claim(backend, copy),
                    backend.medium,
                    config.limits().evictionBatch(),
                    freed,
                    config.clocks()));
        }
    }

    Evictor<Long> evictor(Backend backend) {
        return evictors.get(backend.number);
    }

    /** Frees copies that are out of sight, unless a read holds them; answers the bytes that are back. */
    long free(List<Doomed> doomed) {
        long bytes = 0;
        for (Doomed copy : doomed) {
            if (!copy.pinned()) {
                bytes += evictor(copy.backend()).reclaim(copy.copy());
            }
        }
        return bytes;
    }

    /**
     * As {@link #free}; the ends of these copies, of what moves made of them, and of all earlier copies of the same keys are
     * made to survive a restart, here or by whoever they are left to.
     *
     * @param hashes of the keys whose older values must not come back, also where nothing was there to be discarded
     */
    Discarded discard(List<Doomed> doomed, Ends ends, long... hashes) {
        Set<String> unwritten = Set.of();
        long freed = 0;
        try {
            unwritten = ends.settle(new Unsettled(settlement, doomed, hashes));
        } finally {
            // Whatever the wait ended with: the ends are noted, and nobody else knows of these copies.
            freed = free(doomed);
        }
        return new Discarded(freed, unwritten);
    }

    /**
     * What a discard came to.
     *
     * @param unwritten backends from which something may be back after a restart
     */
    record Discarded(long bytesFreed, Set<String> unwritten) {}

    /** A reservation gave its space back. */
    void spaceFreed() {
        freed.run();
    }

    /** See {@link Pool#evict}. */
    EvictionResult evict(EvictionRequest request, Ends waits) {
        return request.reason().discards() ? discard(request, waits) : makeRoom(request);
    }

    private EvictionResult makeRoom(EvictionRequest request) {
        long hash = index.hash(request.key());
        EntryStripe stripe = index.stripe(hash);
        Optional<Backend> backend;
        Claim<Long> claim = new Claim.Gone<>();
        stripe.lock.lock();
        try {
            Optional<Entry> entry = entries.find(stripe, hash, request.key());
            backend = entry.flatMap(found -> scope(found, request));
            if (backend.isPresent()) {
                claim = decide(entry.orElseThrow(), backend.get());
            }
        } finally {
            stripe.lock.unlock();
        }
        if (backend.isEmpty()) {
            return new EvictionResult(request.key(), 0, EvictionOutcome.NONE);
        }
        Eviction eviction = evictor(backend.get()).carryOut(claim);
        long freed = eviction.outcome() == EvictionOutcome.FREED ? eviction.bytes() : 0;
        return new EvictionResult(request.key(), freed, eviction.outcome());
    }

    private EvictionResult discard(EvictionRequest request, Ends waits) {
        long hash = index.hash(request.key());
        EntryStripe stripe = index.stripe(hash);
        boolean everywhere = request.tier().isEmpty() && request.backend().isEmpty();
        boolean found = false;
        List<Doomed> doomed = List.of();
        stripe.lock.lock();
        try {
            // An entry whose time is over is still there to be thrown away, but is no longer there to be found.
            int row = stripe.find(request.key().bytes(), hash);
            if (row != EntryRows.NONE) {
                Entry entry = new Entry(stripe, row);
                Left why = entries.lives().isOver(entry) ? Left.EXPIRED : Left.of(request.reason());
                Optional<Backend> only = scope(entry, request);
                found = why == Left.of(request.reason()) && (everywhere || only.isPresent());
                if (everywhere || why == Left.EXPIRED) {
                    doomed = states.dropAll(entry, why);
                } else if (only.isPresent()) {
                    doomed = states.drop(entry, only.get(), why);
                }
            }
        } finally {
            stripe.lock.unlock();
        }
        Discarded discarded = discard(doomed, waits, hash);
        EvictionOutcome outcome = found ? EvictionOutcome.FREED : EvictionOutcome.NONE;
        return new EvictionResult(request.key(), discarded.bytesFreed(), outcome, discarded.unwritten());
    }

    /**
     * Throws away an entry whose time to live is over; whatever has happened to it since, is seen here. Waits for no
     * device: nobody waits for an answer, and a record carries the end of life itself.
     */
    void expire(int id) {
        EntryStripe stripe = index.stripeOf(id);
        List<Doomed> doomed = List.of();
        stripe.lock.lock();
        try {
            int row = EntryIndex.rowOf(id);
            if (stripe.rows.live(row)) {
                Entry entry = new Entry(stripe, row);
                if (entries.lives().isOver(entry)) {
                    doomed = states.dropAll(entry, Left.EXPIRED);
                }
            }
        } finally {
            stripe.lock.unlock();
        }
        free(doomed);
    }

    /** Throws away one copy, if the entry still names it; false: it does not, or somebody else was first. */
    boolean discardCopy(int id, Backend backend, long copy, EvictionReason reason) {
        EntryStripe stripe = index.stripeOf(id);
        List<Doomed> doomed = List.of();
        long hash = 0;
        stripe.lock.lock();
        try {
            Optional<Entry> entry = entries.owner(id, backend, copy);
            if (entry.isPresent()) {
                hash = stripe.hash(entry.get().row());
                doomed = states.drop(entry.get(), backend, Left.of(reason));
            }
        } finally {
            stripe.lock.unlock();
        }
        if (!doomed.isEmpty()) {
            var _ = discard(doomed, Ends.awaited(), hash);
        }
        return !doomed.isEmpty();
    }

    /**
     * Throws away every entry that is there now, a slice of a stripe at a time; the ends of all of them, and of what was
     * evicted before, are written at the end, together.
     *
     * @return backends from which something may be back after a restart
     */
    Set<String> clear() {
        Set<String> unwritten = new TreeSet<>();
        long end = settlement.movesDeadlineNanos();
        for (int number = 0; number < EntryIndex.STRIPES; number++) {
            EntryStripe stripe = index.stripe(number);
            int row = 0;
            while (row >= 0) {
                row = clearSlice(stripe, row, end, unwritten);
            }
        }
        unwritten.addAll(settlement.awaitAllEnds());
        return unwritten;
    }

    /** Clears some rows; answers where to go on, or -1 at the end. */
    private int clearSlice(EntryStripe stripe, int from, long endNanos, Set<String> unwritten) {
        List<Doomed> doomed = new ArrayList<>();
        int row = from;
        boolean more;
        stripe.lock.lock();
        try {
            for (; row < stripe.rows.end() && row < from + CLEAR_SLICE; row++) {
                if (stripe.rows.live(row)) {
                    doomed.addAll(states.dropAll(new Entry(stripe, row), Left.CLEARED));
                }
            }
            more = row < stripe.rows.end();
        } finally {
            stripe.lock.unlock();
        }
        settlement.awaitMoves(doomed, endNanos, unwritten);
        free(doomed);
        return more ? row : -1;
    }

    /** Decides about a victim that a backend's order proposed. */
    private Claim<Long> claim(Backend backend, long copy) {
        int id = backend.copies().owner(copy);
        if (id < 0) {
            return new Claim.Held<>();
        }
        EntryStripe stripe = index.stripeOf(id);
        stripe.lock.lock();
        try {
            return entries.owner(id, backend, copy)
                    .map(entry -> decide(entry, backend))
                    .orElseGet(Claim.Gone::new);
        } finally {
            stripe.lock.unlock();
        }
    }

    /** Decides about the block's unit in one backend, and does it as far as the lock is needed. */
    private Claim<Long> decide(Entry entry, Backend backend) {
        if (!backend.medium.recordsEnds()) {
            return new Claim.Held<>(); // nothing can be stored in its place, and it would be back with the next start
        }
        Optional<Unit> unit = entries.unit(entry, backend);
        if (unit.isEmpty()) {
            return new Claim.Gone<>();
        }
        Below below = entries.below(entry, backend);
        return switch (StateRules.underPressure(unit.get(), below)) {
            case DROP -> drop(entry, backend, unit.get(), below);
            case DEMOTE -> {
                long bytes = transitions.demote(entry, backend);
                yield bytes < 0 ? new Claim.Held<>() : new Claim.Leaving<>(bytes);
            }
            case IN_FLIGHT -> new Claim.InFlight<>();
            case HOLD -> new Claim.Held<>();
        };
    }

    private Claim<Long> drop(Entry entry, Backend backend, Unit unit, Below below) {
        if (unit.last() && below == Below.UNHEALTHY && unit.worthKeeping()) {
            counters.droppedOnlyCopy(TransitionCounters.UNHEALTHY);
        } else if (unit.last()) {
            counters.notDemoted(below == Below.NOTHING ? "no_downstream" : "incomplete_tail");
        }
        List<Doomed> doomed = states.drop(entry, backend, Left.CAPACITY);
        return new Claim.Free<>(doomed.stream().map(Doomed::copy).toList());
    }

    /** The backend that a request means for this entry: by name, by tier with the placement first, or the placement. */
    private Optional<Backend> scope(Entry entry, EvictionRequest request) {
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            Backend backend = entries.backendOf(rows, cell);
            boolean meant = request.backend()
                    .map(backend.name()::equals)
                    .or(() -> request.tier().map(graph.tierOf(backend).name()::equals))
                    .orElse(true);
            if (meant) {
                return Optional.of(backend);
            }
        }
        return Optional.empty();
    }

    /** Runs under the lock of the backend's table: no lock may be taken here, and none is. */
    private boolean mayGo(Backend backend, long copy) {
        boolean lastTier = graph.tierOf(backend).below().isEmpty();
        return !lastTier || !leases.protects(backend.copies().owner(copy));
    }
}
