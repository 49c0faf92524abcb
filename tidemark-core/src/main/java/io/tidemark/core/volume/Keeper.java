package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The sweeper's own affairs on the volume: its shard leases, the probe that says where recency comes from, the clients'
 * touch logs. One thread; what others read is volatile.
 */
final class Keeper {
    static final Set<Integer> ALL_DIGITS =
            IntStream.range(0, BucketList.DIGITS).boxed().collect(Collectors.toUnmodifiableSet());

    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long LEASE_STEP_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long TOUCH_STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String id;
    private final VolumeRoot root;
    private final boolean leasing;
    private final boolean mayWrite;
    private final ShardLeases leases;
    private final TouchLog touchLog;
    private final Supplier<Iterable<RankDir>> ranks;
    private final VolumeListener listener;
    private final Clocks clocks;
    private volatile boolean alone;
    private volatile RecencySource source = RecencySource.UNKNOWN;
    private boolean probed;
    private long leasedNanos;
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
            boolean leasing,
            boolean mayWrite) {
        this.root = root;
        this.leasing = leasing && mayWrite;
        this.mayWrite = mayWrite;
        Path own = root.cache().resolve(RootGuard.OWN_FOLDER);
        this.id = SweeperId.next();
        this.leases = new ShardLeases(own, id, clocks, LEASE_NANOS, SweeperId::isDead);
        this.touchLog = new TouchLog(root.cache(), touches, mayWrite);
        this.ranks = ranks;
        this.listener = listener;
        this.clocks = clocks;
        this.leasedNanos = clocks.monotonicNanos() - LEASE_STEP_NANOS;
        this.touchedNanos = clocks.monotonicNanos();
    }

    /** The shards that are ours: all of them without leases, and where no lease can be taken at all. */
    Set<Integer> digits() {
        return leasing && !alone ? leases.held() : ALL_DIGITS;
    }

    RecencySource source() {
        return source;
    }

    /** Does what is due. */
    void step() {
        boolean there = Files.isDirectory(root.cache()) && isVolume();
        if (there && mayWrite && !probed) {
            probe();
        }
        if (there && leasing && !alone && isOver(leasedNanos, LEASE_STEP_NANOS)) {
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
        probed = true;
        RecencyProbe.Result result = RecencyProbe.probe(root.cache().resolve(RootGuard.OWN_FOLDER), id);
        source = result.source();
        result.missing().ifPresent(missing -> {
            listener.warn(missing + ": "
                    + (leasing ? "no leases, so this sweeper takes the whole volume and another would too; " : "")
                    + (source == RecencySource.UNKNOWN ? "whether reads move the access time stays unknown; " : "")
                    + "files that may not be removed are left out");
            alone = leasing;
        });
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
        } catch (IOException e) {
            listener.warn("shard leases: " + e);
        }
    }

    private void readTouches() {
        int told = 0;
        for (RankDir rank : ranks.get()) {
            try {
                told += touchLog.read(rank, clocks.wallMillis() / 1000);
            } catch (IOException e) {
                listener.warn("touch log of " + rank + ": " + e);
            }
        }
        if (told > 0) {
            source = RecencySource.TOUCH_LOG;
        }
    }

    /** Gives the shards up, so that others need not wait for them. */
    void release() {
        if (leasing && !alone) {
            try {
                leases.release();
            } catch (IOException e) {
                listener.warn("shard leases: " + e);
            }
        }
    }
}
