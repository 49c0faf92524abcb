package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the shards of the volume that are ours, by leases on it, and tells when that fails. Steps come from one thread; what
 * others read is volatile.
 */
final class ShardKeeper {
    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Path folder;
    private final boolean leasing;
    private final ShardLeases leases;
    private final JointDeletion deletion;
    private final VolumeListener listener;
    private final Clocks clocks;
    private volatile String failure = "";
    private String told = "";
    private long toldNanos;
    private long steppedNanos;

    /** What the others see us do; they hear of news at once. */
    private DeletionRound shown = DeletionRound.NONE;

    /**
     * A keeper.
     *
     * @param folder of the sweepers' own files on the volume
     * @param leasing false: everything is ours
     */
    ShardKeeper(
            Path folder, String id, boolean leasing, JointDeletion deletion, VolumeListener listener, Clocks clocks) {
        this.folder = folder;
        this.leasing = leasing;
        this.leases = new ShardLeases(folder, id, clocks, LEASE_NANOS, SweeperId::isDead, deletion);
        this.deletion = deletion;
        this.listener = listener;
        this.clocks = clocks;
        this.steppedNanos = clocks.monotonicNanos() - STEP_NANOS;
    }

    /** The shards that are ours: all of them without leases. */
    Set<Integer> digits() {
        return leasing ? leases.held() : BucketList.ALL_DIGITS;
    }

    /** Why nothing is ours though it might be; empty when something is, and when others have it all. */
    String problem() {
        if (!leasing || leases.work() || !leases.held().isEmpty()) {
            return "";
        }
        return "no shard of the volume is ours: shard leases in " + folder + ": "
                + (failure.isEmpty() ? "not renewed" : failure);
    }

    /** Renews what is ours and claims what may be, if it is time, or the others have to hear something. */
    void step() {
        boolean news = !deletion.shown().equals(shown);
        if (leasing && (news || isOver(steppedNanos, STEP_NANOS))) {
            shown = deletion.shown();
            steppedNanos = clocks.monotonicNanos();
            try {
                leases.step();
                failure = "";
            } catch (IOException e) {
                failure = RecencyProbe.reason(e);
                tell();
            }
        }
    }

    private boolean isOver(long sinceNanos, long waitNanos) {
        return clocks.monotonicNanos() - sinceNanos >= waitNanos;
    }

    private void tell() {
        int ours = leases.held().size();
        String text = "shard leases in " + folder + ": " + failure + ": "
                + (ours == BucketList.DIGITS
                        ? "no other sweeper is seen, so this one takes the whole volume"
                        : "what cannot be renewed goes over to the sweepers that are there");
        if (!text.equals(told) || isOver(toldNanos, TELL_AGAIN_NANOS)) {
            told = text;
            toldNanos = clocks.monotonicNanos();
            listener.warn(text);
        }
    }

    /** Gives the shards up, so that others need not wait for them. */
    void release() {
        if (leasing) {
            try {
                leases.release();
            } catch (IOException e) {
                listener.warn("shard leases in " + folder + ": " + RecencyProbe.reason(e)
                        + ": others wait until what is left has run out");
            }
        }
    }
}
