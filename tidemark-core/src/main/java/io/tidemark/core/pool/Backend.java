package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.medium.Ledger;
import io.tidemark.core.medium.MappedMedium;
import io.tidemark.core.medium.Medium;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One medium in its tier, with the pool's accounts about it. The bytes that pins, leases and moves hold are changed
 * where the pin, lease or move begins and ends, once each.
 */
final class Backend implements EvictionSpace {
    /** How long a refused put counts as wanting space. */
    private static final long WANT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final System.Logger LOG = System.getLogger(Backend.class.getName());

    private record Want(long bytes, long untilNanos) {}

    private static final Want NOTHING = new Want(0, 0);

    final int number;
    final Medium medium;
    final TierConfig tier;
    final BackendCounters counters = new BackendCounters();
    final AtomicLong leasedBytes = new AtomicLong();
    /** Bytes of MOVING copies; changed where the state changes. */
    final AtomicLong movingBytes = new AtomicLong();

    private final AtomicInteger carrying = new AtomicInteger();
    private final Clocks clocks;
    private final OnceAMinute endsTold;
    private final OnceAMinute damageTold;
    private volatile Want want = NOTHING;

    Backend(int number, Medium medium, TierConfig tier, Clocks clocks) {
        this.number = number;
        this.medium = medium;
        this.tier = tier;
        this.clocks = clocks;
        endsTold = new OnceAMinute(clocks);
        damageTold = new OnceAMinute(clocks);
    }

    /** An answer was given although the end of a block is not on disk: counted, and told once a minute. */
    void missedEnd(String why) {
        counters.missedEnd();
        if (endsTold.isDue()) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "{0}: what was deleted or overwritten may be back after a restart, its end could not be written: {1}",
                    name(),
                    why);
        }
    }

    /** A read or a move found bytes that do not verify: counted, and told once a minute. */
    void damaged() {
        counters.damaged();
        if (damageTold.isDue()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: the bytes of a block do not verify, {1} so far; each is discarded and read as a miss:"
                            + " the device, or who writes to its directory, needs a look",
                    name(),
                    counters.damagedCopies());
        }
    }

    String name() {
        return medium.name();
    }

    CopyTable copies() {
        return medium.copies();
    }

    @Override
    public long capacityBytes() {
        return medium.ledger().capacityBytes();
    }

    @Override
    public long usedBytes() {
        return medium.ledger().usedBytes();
    }

    @Override
    public long leavingBytes() {
        return movingBytes.get() + medium.ledger().snapshot().doomed();
    }

    @Override
    public long wantedBytes() {
        Want now = want;
        return now.untilNanos() - clocks.monotonicNanos() > 0 ? now.bytes() : 0;
    }

    /** A put of this size found no space. Counts only where evicting could make room for it. */
    void wanted(long bytes) {
        Ledger.Snapshot ledger = medium.ledger().snapshot();
        long allocated = allocated(bytes);
        long reachable = ledger.free() + ledger.resident() - medium.copies().pinnedBytes();
        if (allocated <= reachable) {
            want = new Want(Math.max(wantedBytes(), allocated), clocks.monotonicNanos() + WANT_NANOS);
        }
    }

    /** Whether waiting can help a put of this size: something can be evicted from here, is on its way out, or is free. */
    boolean mayHaveRoomSoon(long bytes) {
        Ledger.Snapshot ledger = medium.ledger().snapshot();
        boolean leaving = movingBytes.get() + ledger.doomed() + ledger.reserved() + ledger.untouched() > 0;
        return medium.copies().order().isKept() || leaving || allocated(bytes) <= ledger.free();
    }

    /** Whether a put has found no space here, or soon will: half of what lies above the high mark is in use. */
    boolean isShort() {
        long capacity = capacityBytes();
        return wantedBytes() > 0 || 2 * usedBytes() >= capacity + tier.marks().highBytes(capacity);
    }

    /** Space was found: nobody is known to wait any more. */
    void satisfied() {
        if (want.bytes() > 0) {
            want = NOTHING;
        }
    }

    boolean atHighMark() {
        return usedBytes() >= tier.marks().highBytes(capacityBytes());
    }

    /** Whether its bytes go to or come from a device. */
    boolean isDevice() {
        return !(medium instanceof MappedMedium);
    }

    /** A worker begins to carry something to or from this device; false: so many do that already. */
    boolean beginCarry(int most) {
        if (carrying.incrementAndGet() <= most) {
            return true;
        }
        carrying.decrementAndGet();
        return false;
    }

    void endCarry() {
        carrying.decrementAndGet();
    }

    /** Share of the capacity in use, 0 to 1. */
    double fill() {
        return (double) usedBytes() / Math.max(1, capacityBytes());
    }

    /** Bytes of pinned copies here at most, for this share. */
    long pinnedMost(double share) {
        return (long) (capacityBytes() * share);
    }

    /** What a value of this length is charged here. */
    long allocated(long bytes) {
        return medium.chargedBytes(bytes);
    }
}
