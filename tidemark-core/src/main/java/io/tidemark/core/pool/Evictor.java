package io.tidemark.core.pool;

import io.tidemark.core.medium.Offer;
import io.tidemark.core.medium.OfferBudget;
import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.medium.Reclaimable.Freed;
import io.tidemark.core.medium.VictimSource;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps one backend, or one volume, under its high mark; the only class that frees a committed copy.
 *
 * <p>A pass starts at or above the high mark, and goes on until usage, less what is already leaving, is at or below the
 * low mark: it frees at least what is needed, and less than that and its largest victim. What may not go, or waits for
 * another part of its block that is on its way, is parked and left out for a while: each round ends with victims gone
 * or parked, so a pass ends. Passes of one evictor come from one thread; {@link #carryOut} and {@link #reclaim} from any.
 * Holds no lock while it frees.
 */
public final class Evictor<H> {
    /** What a pass came to. */
    public enum Pass {
        /** Below the marks, or enough is leaving already. */
        IDLE,
        /** Freed, or sent on its way, what was needed. */
        COVERED,
        /** Nothing was offered, and more is needed. */
        NO_CANDIDATE,
        /** Offers came, and none of them could go. */
        STALLED
    }

    /** Rounds in a row without one victim gone that end a pass. */
    private static final int STALLED_ROUNDS = 8;

    private final Marks marks;
    private final EvictionSpace space;
    private final VictimSource<H> source;
    private final VictimGate<H> gate;
    private final Reclaimable<H> medium;
    private final int batch;
    private final Runnable freed;
    private final Parked<H> parked;
    private boolean draining = false;

    private final LongAdder passes = new LongAdder();
    private final LongAdder requestedBytes = new LongAdder();
    private final LongAdder freedCopies = new LongAdder();
    private final LongAdder freedBytes = new LongAdder();
    private final LongAdder failedFrees = new LongAdder();
    private final LongAdder noCandidate = new LongAdder();
    private final LongAdder stalled = new LongAdder();

    /**
     * @param batch victims a round at most, 1 or more
     * @param freed told after bytes came back; must not block
     */
    public Evictor(
            Marks marks,
            EvictionSpace space,
            VictimSource<H> source,
            VictimGate<H> gate,
            Reclaimable<H> medium,
            int batch,
            Runnable freed,
            Clocks clocks) {
        if (batch < 1) {
            throw new IllegalArgumentException("eviction batch of " + batch + "; expected 1 or more");
        }
        this.marks = marks;
        this.space = space;
        this.source = source;
        this.gate = gate;
        this.medium = medium;
        this.batch = batch;
        this.freed = freed;
        parked = new Parked<>(clocks);
    }

    /** One pass: frees down to the low mark when usage reached the high one, or as far as somebody waits for space. */
    public Pass pass() {
        long need = needBytes();
        if (need <= 0) {
            return Pass.IDLE;
        }
        passes.increment();
        requestedBytes.add(need);
        long covered = 0;
        int stalledRounds = 0;
        while (covered < need) {
            List<Offer<H>> offers = offers(need - covered);
            if (offers.isEmpty()) {
                noCandidate.increment();
                return Pass.NO_CANDIDATE;
            }
            int gone = 0;
            for (Offer<H> offer : offers) {
                if (covered < need) {
                    Eviction eviction = evict(offer);
                    covered += eviction.bytes();
                    gone += goes(eviction) ? 1 : 0;
                }
            }
            stalledRounds = gone == 0 ? stalledRounds + 1 : 0;
            if (stalledRounds == STALLED_ROUNDS) {
                stalled.increment();
                return Pass.STALLED;
            }
        }
        updateDraining();
        return Pass.COVERED;
    }

    /** Does what was decided about a victim: the one step from a decision to freed bytes. */
    public Eviction carryOut(Claim<H> claim) {
        return switch (claim) {
            case Claim.Free<H>(List<H> handles) -> reclaimAll(handles);
            case Claim.Leaving<H>(long bytes) -> new Eviction(EvictionOutcome.DEMOTION_QUEUED, bytes);
            case Claim.InFlight<H>() -> new Eviction(EvictionOutcome.IN_FLIGHT, 0);
            case Claim.Gone<H>(), Claim.Held<H>() -> new Eviction(EvictionOutcome.NONE, 0);
        };
    }

    /**
     * What became of a victim.
     *
     * @param bytes allocated bytes given back (FREED), or that will be (DEMOTION_QUEUED)
     */
    public record Eviction(EvictionOutcome outcome, long bytes) {}

    /** Frees one copy that is no longer findable: at once, or (0 bytes) when its last pin closes. */
    public long reclaim(H handle) {
        return free(handle).bytes();
    }

    /** Shows this evictor's counters under the given labels. */
    public void counters(CounterVisitor visitor, String... labels) {
        visitor.counter(
                "tidemark_eviction_passes_total",
                "Passes of the evictor that freed or tried to.",
                passes.sum(),
                labels);
        visitor.counter(
                "tidemark_eviction_requested_bytes_total",
                "Bytes that passes set out to free.",
                requestedBytes.sum(),
                labels);
        visitor.counter(
                "tidemark_freed_copies_total", "Committed copies freed, for any reason.", freedCopies.sum(), labels);
        visitor.counter(
                "tidemark_freed_bytes_total",
                "Bytes of committed copies freed, for any reason.",
                freedBytes.sum(),
                labels);
        visitor.counter("tidemark_failed_frees_total", "Copies the medium could not free.", failedFrees.sum(), labels);
        visitor.counter(
                "tidemark_eviction_no_candidate_total",
                "Passes that ended because nothing was offered.",
                noCandidate.sum(),
                labels);
        visitor.counter(
                "tidemark_eviction_stalled_total",
                "Passes that ended because no offer could go.",
                stalled.sum(),
                labels);
        visitor.counter(
                "tidemark_parked_victims_total",
                "Victims left out for a while because they could not go.",
                parked.total(),
                labels);
    }

    /** Once usage reached the high mark, this is for going down to the low one, over as many passes as it takes. */
    private void updateDraining() {
        long capacity = space.capacityBytes();
        boolean high = space.usedBytes() >= marks.highBytes(capacity);
        draining = (draining || high) && remainingBytes() > marks.lowBytes(capacity);
    }

    /** Used bytes that are not leaving already. */
    private long remainingBytes() {
        return space.usedBytes() - space.leavingBytes();
    }

    /** Bytes that have to go now. */
    private long needBytes() {
        updateDraining();
        long capacity = space.capacityBytes();
        long toLow = draining ? remainingBytes() - marks.lowBytes(capacity) : 0;
        long toWanted = Math.min(space.wantedBytes(), capacity) - (capacity - remainingBytes());
        return Math.max(toLow, toWanted);
    }

    private List<Offer<H>> offers(long bytes) {
        parked.letGo();
        return source.offers(new OfferBudget(bytes, batch), parked::contains);
    }

    private Eviction evict(Offer<H> offer) {
        Claim<H> claim = gate.claim(offer.handle());
        Eviction eviction = carryOut(claim);
        if (!goes(eviction) && !(claim instanceof Claim.Gone<H>)) {
            parked.park(offer.handle());
        }
        return eviction;
    }

    /** Whether the victim left the order by this; what another part of the block holds up stays in it. */
    private static boolean goes(Eviction eviction) {
        return switch (eviction.outcome()) {
            case FREED, DEMOTION_QUEUED -> true;
            case IN_FLIGHT, NONE -> false;
        };
    }

    private Eviction reclaimAll(List<H> handles) {
        long bytes = 0;
        boolean failed = false;
        for (H handle : handles) {
            Freed result = free(handle);
            bytes += result.bytes();
            failed |= result.outcome() == Reclaimable.Outcome.FAILED;
        }
        return new Eviction(failed ? EvictionOutcome.NONE : EvictionOutcome.FREED, bytes);
    }

    private Freed free(H handle) {
        Freed result = medium.free(handle);
        switch (result.outcome()) {
            case FREED -> {
                freedCopies.increment();
                freedBytes.add(result.bytes());
                freed.run();
            }
            case FAILED -> failedFrees.increment();
            case GONE, HELD -> {}
        }
        return result;
    }
}
