package io.tidemark.core.pool;

/**
 * The bounds of a pool: every wait and every queue has one.
 *
 * @param maxBlockBytes largest value taken
 * @param reservationMillis an unfinished put is dropped after this long
 * @param leaseMillis how long a look-up keeps the last copy of a block
 * @param leasedShare leased bytes at most, as a share of a tier
 * @param leasesPerSession leases a session holds at most
 * @param pinStallMillis a read without progress for this long loses its pin
 * @param pinnedShare pinned bytes at most, as a share of a tier
 * @param spaceWaiters callers that wait for space at most
 * @param evictionBatch copies per batch of the evictor
 * @param demotionRetryMillis how long a demotion that finds no room is tried again before the copy is dropped
 * @param transitionWorkers threads that copy between tiers, for each device
 * @param transitionBytes bytes being copied between tiers at most
 * @param transitionQueue demotions and promotions that wait at most
 * @param indexBytes heap for keys, entries and unfinished puts at most; evictions keep it below
 */
public record PoolLimits(
        long maxBlockBytes,
        long reservationMillis,
        long leaseMillis,
        double leasedShare,
        int leasesPerSession,
        long pinStallMillis,
        double pinnedShare,
        int spaceWaiters,
        int evictionBatch,
        long demotionRetryMillis,
        int transitionWorkers,
        long transitionBytes,
        int transitionQueue,
        long indexBytes) {
    /** Bounds that suit a node with some GiB of DRAM. */
    public static final PoolLimits DEFAULT = new PoolLimits(
            64L << 20, 30_000, 2_000, 0.25, 4_096, 30_000, 0.5, 1_024, 64, 30_000, 2, 256L << 20, 65_536);

    /** Smallest cap of the index by default. */
    private static final long INDEX_BYTES_MIN = 16L << 20;

    /** These bounds with half of the largest heap for the index. */
    public PoolLimits(
            long maxBlockBytes,
            long reservationMillis,
            long leaseMillis,
            double leasedShare,
            int leasesPerSession,
            long pinStallMillis,
            double pinnedShare,
            int spaceWaiters,
            int evictionBatch,
            long demotionRetryMillis,
            int transitionWorkers,
            long transitionBytes,
            int transitionQueue) {
        this(
                maxBlockBytes,
                reservationMillis,
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
                Math.max(INDEX_BYTES_MIN, Runtime.getRuntime().maxMemory() / 2));
    }

    /** These bounds with another cap of the index. */
    public PoolLimits withIndexBytes(long bytes) {
        return new PoolLimits(
                maxBlockBytes,
                reservationMillis,
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
                bytes);
    }

    public PoolLimits {
        atLeastOne("indexBytes", indexBytes);
        atLeastOne("maxBlockBytes", maxBlockBytes);
        atLeastOne("reservationMillis", reservationMillis);
        atLeastOne("pinStallMillis", pinStallMillis);
        atLeastOne("evictionBatch", evictionBatch);
        atLeastOne("transitionWorkers", transitionWorkers);
        atLeastOne("transitionBytes", transitionBytes);
        atLeastOne("transitionQueue", transitionQueue);
        notNegative("leaseMillis", leaseMillis);
        notNegative("leasesPerSession", leasesPerSession);
        notNegative("spaceWaiters", spaceWaiters);
        notNegative("demotionRetryMillis", demotionRetryMillis);
        share("leasedShare", leasedShare);
        share("pinnedShare", pinnedShare);
    }

    private static void atLeastOne(String what, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("limits." + what + " is " + value + "; expected 1 or more");
        }
    }

    private static void notNegative(String what, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("limits." + what + " is " + value + "; expected 0 or more");
        }
    }

    private static void share(String what, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("limits." + what + " is " + value + "; expected 0 to 1");
        }
    }
}
