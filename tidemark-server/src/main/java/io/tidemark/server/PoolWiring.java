package io.tidemark.server;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SysException;
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

    static Pool open(TidemarkConfig config) throws StartException {
        TidemarkConfig.Dram dram = config.dram();
        DramOptions options = DramOptions.of(BACKEND, dram.capacityBytes())
                .withPageBytes((int) dram.pageBytes())
                .withMaxBlockBytes(config.limits().maxValueBytes());
        try {
            DramMedium medium = DramMedium.open(NativeSys.INSTANCE, options);
            if (!dram.policy().equals(TidemarkConfig.Dram.NO_EVICTION)) {
                medium.copies().trackOrder(dram.policy());
            }
            TierMember member = new TierMember(medium, 1);
            TierConfig tier = TierConfig.of(TIER, new Marks(dram.highMark(), dram.lowMark()), member);
            return Pool.open(PoolConfig.of(tier).with(limits(config.limits())));
        } catch (SysException e) {
            throw new StartException(
                    "the kernel refuses " + dram.capacityBytes() + " bytes of memory for blocks: " + e.getMessage(), e);
        }
    }

    private static PoolLimits limits(TidemarkConfig.Limits limits) {
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
                base.demotionRetryMillis(),
                base.transitionWorkers(),
                base.transitionBytes(),
                base.transitionQueue());
    }
}
