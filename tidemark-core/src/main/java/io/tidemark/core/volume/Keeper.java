package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The sweeper's own affairs on the volume: its shard leases, the probe that says where recency comes from, the clients'
 * touch logs. One thread; what others read is volatile.
 */
final class Keeper {
    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long LEASE_STEP_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long TOUCH_STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Time after which a probe that could not be made is made again. */
    private static final long PROBE_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final String id;
    private final Path own;
    private final VolumeRoot root;
    private final boolean leasing;
    private final boolean mayWrite;
    private final ShardLeases leases;
    private final JointDeletion deletion;
    private final TouchLog touchLog;
    private final Supplier<Iterable<RankDir>> ranks;
    private final VolumeListener listener;
    private final Clocks clocks;
    private volatile RecencySource source = RecencySource.UNKNOWN;
    private volatile String leaseFailure = "";
    private boolean probed;
    private String probeFailure = "";
    private long probedNanos;
    private String leaseTold = "";
    private long leaseToldNanos;
    private boolean touchesTold;
    private long touchesToldNanos;
    private long leasedNanos;

    /** What the others see us do; they hear of news at once. */
    private DeletionRound shown = DeletionRound.NONE;

    private long touchedNanos;

    /**
     * A keeper.
     *
     * @param mayWrite whether it may make files of its own on the volume (no dry run, no shadow)
     */
    Keeper(
            VolumeRoot root,
            Touches touches,
            Supplier<Iterable<RankDir>> ranks,
            VolumeListener listener,
            Clocks clocks,
            JointDeletion deletion,
            boolean leasing,
            boolean mayWrite) {
        this.root = root;
        this.leasing = leasing && mayWrite;
        this.mayWrite = mayWrite;
        this.own = root.cache().resolve(RootGuard.OWN_FOLDER);
        this.id = SweeperId.next();
        this.deletion = deletion;
        this.leases = new ShardLeases(own, id, clocks, LEASE_NANOS, SweeperId::isDead, deletion);
        this.touchLog = new TouchLog(root.cache(), touches, () -> mayWrite && digits().contains(0));
        this.ranks = ranks;
        this.listener = listener;
        this.clocks = clocks;
        this.leasedNanos = clocks.monotonicNanos() - LEASE_STEP_NANOS;
        this.touchedNanos = clocks.monotonicNanos();
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
        return "no shard of the volume is ours: shard leases in " + own + ": "
                + (leaseFailure.isEmpty() ? "not renewed" : leaseFailure);
    }

    RecencySource source() {
        return source;
    }

    /** Does what is due. */
    void step() {
        boolean there = Files.isDirectory(root.cache()) && isVolume();
        if (there && mayWrite && (!probed || (!probeFailure.isEmpty() && isOver(probedNanos, PROBE_AGAIN_NANOS)))) {
            probe();
        }
        boolean news = !deletion.shown().equals(shown);
        if (there && leasing && (news || isOver(leasedNanos, LEASE_STEP_NANOS))) {
            shown = deletion.shown();
            leasedNanos = clocks.monotonicNanos();
            lease();
        }
        if (there && isOver(touchedNanos, TOUCH_STEP_NANOS)) {
            touchedNanos = clocks.monotonicNanos();
            readTouches();
        }
    }

    private boolean isVolume() {
        return root.sample() instanceof VolumeRoot.Sample.Measured;
    }

    private boolean isOver(long sinceNanos, long waitNanos) {
        return clocks.monotonicNanos() - sinceNanos >= waitNanos;
    }

    private void probe() {
        boolean first = !probed;
        probed = true;
        probedNanos = clocks.monotonicNanos();
        RecencyProbe.Result result = RecencyProbe.probe(own, id);
        String missing = result.missing().orElse("");
        boolean news = first || !missing.equals(probeFailure);
        probeFailure = missing;
        if (source != RecencySource.TOUCH_LOG) {
            source = result.source();
        }
        if (news) {
            tellProbe();
        }
    }

    private void tellProbe() {
        if (!probeFailure.isEmpty()) {
            listener.warn(probeFailure + ": "
                    + (source == RecencySource.UNKNOWN ? "whether reads move the access time stays unknown; " : "")
                    + "files that may not be removed are left out");
        }
        switch (source) {
            case MTIME_FIFO ->
                listener.warn("reads leave no trace on this mount: files go in the order they were"
                        + " written, unless clients keep touch logs");
            case ATIME_RELATIME ->
                listener.warn("reads move the access time once a day on this mount (relatime):"
                        + " within a day files go in the order of their first read");
            case ATIME_LIVE, TOUCH_LOG, UNKNOWN -> {}
        }
    }

    private void lease() {
        try {
            leases.step();
            leaseFailure = "";
        } catch (IOException e) {
            leaseFailure = RecencyProbe.reason(e);
            tellLease();
        }
    }

    private void tellLease() {
        int ours = leases.held().size();
        String text = "shard leases in " + own + ": " + leaseFailure + ": "
                + (ours == BucketList.DIGITS
                        ? "no other sweeper is seen, so this one takes the whole volume"
                        : "what cannot be renewed goes over to the sweepers that are there");
        if (!text.equals(leaseTold) || isOver(leaseToldNanos, TELL_AGAIN_NANOS)) {
            leaseTold = text;
            leaseToldNanos = clocks.monotonicNanos();
            listener.warn(text);
        }
    }

    private void readTouches() {
        int told = 0;
        for (RankDir rank : ranks.get()) {
            TouchLog.Reading reading = touchLog.read(rank, clocks.wallMillis() / 1000);
            told += reading.told();
            reading.failure().ifPresent(e -> tellTouches(rank, e));
        }
        if (told > 0) {
            source = RecencySource.TOUCH_LOG;
        }
    }

    /** Once an interval, whichever rank directory it is. */
    private void tellTouches(RankDir rank, IOException e) {
        if (!touchesTold || isOver(touchesToldNanos, TELL_AGAIN_NANOS)) {
            touchesTold = true;
            touchesToldNanos = clocks.monotonicNanos();
            listener.warn("touch log of " + rank + ": " + e
                    + "; it is read as far as it can be, and is not put aside when it" + " has become large");
        }
    }

    /** Gives the shards up, so that others need not wait for them. */
    void release() {
        if (leasing) {
            try {
                leases.release();
            } catch (IOException e) {
                listener.warn("shard leases in " + own + ": " + RecencyProbe.reason(e)
                        + ": others wait until what is left has" + " run out");
            }
        }
    }
}
