package io.tidemark.core.pool;

/** Makes {@link PoolLimits}, in which each bound is described, from the default ones or from others. */
public final class PoolLimitsBuilder {
    /** Smallest cap of the index by default; else half of the largest heap. */
    private static final long INDEX_BYTES_MIN = 16L << 20;

    private long maxBlockBytes = 64L << 20;
    private long reservationMillis = 30_000;
    private long putMillis = 600_000;
    private long leaseMillis = 2_000;
    private double leasedShare = 0.25;
    private int leasesPerSession = 4_096;
    private long pinStallMillis = 30_000;
    private double pinnedShare = 0.5;
    private int spaceWaiters = 1_024;
    private int evictionBatch = 64;
    private long demotionRetryMillis = 30_000;
    private int transitionWorkers = 4;
    private long transitionBytes = 256L << 20;
    private int transitionQueue = 65_536;
    private long indexBytes = Math.max(INDEX_BYTES_MIN, Runtime.getRuntime().maxMemory() / 2);

    PoolLimitsBuilder() {}

    PoolLimitsBuilder(PoolLimits limits) {
        maxBlockBytes = limits.maxBlockBytes();
        reservationMillis = limits.reservationMillis();
        putMillis = limits.putMillis();
        leaseMillis = limits.leaseMillis();
        leasedShare = limits.leasedShare();
        leasesPerSession = limits.leasesPerSession();
        pinStallMillis = limits.pinStallMillis();
        pinnedShare = limits.pinnedShare();
        spaceWaiters = limits.spaceWaiters();
        evictionBatch = limits.evictionBatch();
        demotionRetryMillis = limits.demotionRetryMillis();
        transitionWorkers = limits.transitionWorkers();
        transitionBytes = limits.transitionBytes();
        transitionQueue = limits.transitionQueue();
        indexBytes = limits.indexBytes();
    }

    public PoolLimitsBuilder maxBlockBytes(long value) {
        maxBlockBytes = value;
        return this;
    }

    public PoolLimitsBuilder reservationMillis(long value) {
        reservationMillis = value;
        return this;
    }

    public PoolLimitsBuilder putMillis(long value) {
        putMillis = value;
        return this;
    }

    public PoolLimitsBuilder leaseMillis(long value) {
        leaseMillis = value;
        return this;
    }

    public PoolLimitsBuilder leasedShare(double value) {
        leasedShare = value;
        return this;
    }

    public PoolLimitsBuilder leasesPerSession(int value) {
        leasesPerSession = value;
        return this;
    }

    public PoolLimitsBuilder pinStallMillis(long value) {
        pinStallMillis = value;
        return this;
    }

    public PoolLimitsBuilder pinnedShare(double value) {
        pinnedShare = value;
        return this;
    }

    public PoolLimitsBuilder spaceWaiters(int value) {
        spaceWaiters = value;
        return this;
    }

    public PoolLimitsBuilder evictionBatch(int value) {
        evictionBatch = value;
        return this;
    }

    public PoolLimitsBuilder demotionRetryMillis(long value) {
        demotionRetryMillis = value;
        return this;
    }

    public PoolLimitsBuilder transitionWorkers(int value) {
        transitionWorkers = value;
        return this;
    }

    public PoolLimitsBuilder transitionBytes(long value) {
        transitionBytes = value;
        return this;
    }

    public PoolLimitsBuilder transitionQueue(int value) {
        transitionQueue = value;
        return this;
    }

    public PoolLimitsBuilder indexBytes(long value) {
        indexBytes = value;
        return this;
    }

    /** The bounds; throws {@link IllegalArgumentException} naming one that is out of its range. */
    public PoolLimits build() {
        return new PoolLimits(
                maxBlockBytes,
                reservationMillis,
                putMillis,
                leaseMillis,
                leasedShare,
                leasesPerSession,
                pinStallMillis,
                pinnedShare,
                spaceWaiters,
                evictionBatch,
                demotionRetryMillis,
                transitionWorkers,
                transitionBytes,
                transitionQueue,
                indexBytes);
    }
}
