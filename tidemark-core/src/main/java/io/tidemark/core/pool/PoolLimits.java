package io.tidemark.core.pool;

/**
 * The bounds of a pool: every wait and every queue has one. Made from {@link #DEFAULT} with {@link #but}.
 *
 * @param maxBlockBytes largest value taken
 * @param reservationMillis an unfinished put is dropped when no byte of it arrived for this long
 * @param putMillis an unfinished put is dropped after this long, even if bytes arrive
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
        long putMillis,
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
    public static final PoolLimits DEFAULT = new PoolLimitsBuilder().build();

    public PoolLimits {
        atLeastOne("indexBytes", indexBytes);
        atLeastOne("maxBlockBytes", maxBlockBytes);
        atLeastOne("reservationMillis", reservationMillis);
        atLeastOne("putMillis", putMillis);
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

    /** These bounds, for some of them to be changed. */
    public PoolLimitsBuilder but() {
        return new PoolLimitsBuilder(this);
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
