package io.tidemark.server;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SysException;
import io.tidemark.core.pool.DeviceReads;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.PoolLimits;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import io.tidemark.server.config.TidemarkConfig;

/** Makes the pool that a configuration describes. */
final class PoolWiring {
    private static final String TIER = "dram";
    private static final String BACKEND = "dram0";

    private PoolWiring() {}

    /** Opens the media, takes over what they hold, and starts. */
    static Pool open(TidemarkConfig config) throws StartException {
        DramMedium dram = dram(config.dram(), config.limits().maxValueBytes());
        boolean complete = false;
        try {
            PoolConfig tiers = tiers(config, dram);
            complete = true;
            return Pool.open(tiers.with(limits(config.limits())));
        } finally {
            if (!complete) {
                dram.close();
            }
        }
    }

    private static PoolConfig tiers(TidemarkConfig config, DramMedium dram) throws StartException {
        Marks marks = new Marks(config.dram().highMark(), config.dram().lowMark());
        TierConfig memory = TierConfig.of(TIER, marks, new TierMember(dram, 1));
        if (config.ssd().isEmpty()) {
            return PoolConfig.of(memory);
        }
        TierConfig below = SsdWiring.open(config.ssd().get(), config.limits().maxValueBytes());
        DeviceReads reads = DeviceReads.DEFAULT;
        return PoolConfig.of(memory.offloadingTo(below.name()), below)
                .with(new DeviceReads(reads.waitMillis(), reads.threads(), SsdWiring.stagedBytes(config)));
    }

    private static DramMedium dram(TidemarkConfig.Dram dram, long maxValueBytes) throws StartException {
        DramOptions options = DramOptions.of(BACKEND, dram.capacityBytes())
                .withPageBytes((int) dram.pageBytes())
                .withMaxBlockBytes(maxValueBytes);
        try {
            DramMedium medium = DramMedium.open(NativeSys.INSTANCE, options);
            if (!dram.policy().equals(TidemarkConfig.Dram.NO_EVICTION)) {
                medium.copies().trackOrder(dram.policy());
            }
            return medium;
        } catch (SysException e) {
            throw new StartException(
                    "the kernel refuses " + dram.capacityBytes() + " bytes of memory for blocks: " + e.getMessage(), e);
        }
    }

    static PoolLimits limits(TidemarkConfig.Limits limits) {
        PoolLimits base = PoolLimits.DEFAULT;
        return new PoolLimits(
                limits.maxValueBytes(),
                limits.stalledMillis(),
                limits.leaseMillis(),
                limits.leaseShare(),
                base.leasesPerSession(),
                limits.stalledMillis(),
                limits.pinShare(),
                limits.fullWaiters(),
                base.evictionBatch(),
                limits.demotionRetryMillis(),
                base.transitionWorkers(),
                base.transitionBytes(),
                base.transitionQueue());
    }
}
