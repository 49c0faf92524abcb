package io.tidemark.server;

import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SysException;
import io.tidemark.core.pool.DeviceReads;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.PoolLimits;
import io.tidemark.core.pool.PoolLimitsBuilder;
import io.tidemark.core.pool.Promotion;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the pool that a configuration describes, with what earlier processes left on SSD. */
final class PoolWiring {
    private static final Logger LOG = LoggerFactory.getLogger(PoolWiring.class);

    /** Sum of weights that follow capacities. */
    private static final int WEIGHTS = 10_000;

    private final TidemarkConfig config;
    private final SsdStart ssds;
    /** What was opened so far, closed when the pool does not come to be. */
    private final List<Medium> opened = new ArrayList<>();
    /** Of these, what is in memory. */
    private final List<DramMedium> memory = new ArrayList<>();

    private PoolWiring(TidemarkConfig config, SsdStart ssds) {
        this.config = config;
        this.ssds = ssds;
    }

    /**
     * A pool that has started.
     *
     * @param memory of its media, those that serve from little memory until they are told to touch the rest
     */
    record Opened(Pool pool, List<DramMedium> memory) {}

    /**
     * Opens the media, takes over what they hold, and starts.
     *
     * @param ssds of this configuration, begun
     * @param cancelled asked while devices are waited for; true ends the start with {@link StartException}
     */
    static Opened open(TidemarkConfig config, SsdStart ssds, BooleanSupplier cancelled) throws StartException {
        PoolWiring wiring = new PoolWiring(config, ssds);
        boolean complete = false;
        try {
            ssds.await(config, cancelled);
            Pool pool = Pool.open(wiring.pool(), PoolWiring::failed);
            complete = true;
            wiring.awaitWritten(pool, cancelled);
            return new Opened(pool, wiring.memory);
        } finally {
            if (!complete) {
                wiring.ssds.close();
                wiring.opened.reversed().forEach(Medium::close);
            }
        }
    }

    private void awaitWritten(Pool pool, BooleanSupplier cancelled) throws StartException {
        boolean written = false;
        try {
            ssds.awaitWritten(config, cancelled);
            written = true;
        } finally {
            if (!written) {
                ssds.close(); // first: nothing claims a directory any more once it is given free
                pool.close();
            }
        }
    }

    private static void failed(String thread, Throwable failure, long failures) {
        LOG.error("{}: failure {} of its work, it goes on", thread, failures, failure);
    }

    private PoolConfig pool() throws StartException {
        List<TierConfig> tiers = new ArrayList<>();
        for (TierPlan.Tier tier : config.tiers().tiers()) {
            tiers.add(tier(tier));
        }
        PoolConfig pool = PoolConfig.of(tiers.toArray(TierConfig[]::new)).with(limits(config.limits()));
        TidemarkConfig.Reads reads = config.limits().reads();
        return pool.with(
                new DeviceReads(DeviceReads.DEFAULT.waitMillis(), reads.threads(), reads.bytes(), config.hugePages()));
    }

    private TierConfig tier(TierPlan.Tier tier) throws StartException {
        List<Medium> media = new ArrayList<>();
        for (TierPlan.Member member : tier.members()) {
            Medium medium = open(member.backend(), copies -> order(copies, tier.policy()));
            opened.add(medium);
            media.add(medium);
        }
        List<TierMember> members = members(tier.members(), media);
        Optional<Promotion> promotion = tier.promotion().map(rule -> new Promotion(rule.hits(), rule.move()));
        return new TierConfig(
                tier.name(), members, new Marks(tier.highMark(), tier.lowMark()), tier.offloadTo(), promotion);
    }

    /** Gives the media their weights: where none were given, what the directories turned out to have room for decides. */
    static List<TierMember> members(List<TierPlan.Member> planned, List<Medium> media) {
        long total = media.stream()
                .mapToLong(medium -> medium.ledger().capacityBytes())
                .sum();
        List<TierMember> members = new ArrayList<>();
        for (int i = 0; i < planned.size(); i++) {
            Medium medium = media.get(i);
            double share = (double) medium.ledger().capacityBytes() / Math.max(1, total);
            int byCapacity = Math.max(1, (int) Math.round(share * WEIGHTS));
            int given = planned.get(i).weight();
            members.add(new TierMember(medium, given == TierPlan.BY_CAPACITY ? byCapacity : given));
        }
        return members;
    }

    private static void order(CopyTable copies, String policy) {
        if (!policy.equals(TierPlan.NO_EVICTION)) {
            copies.trackOrder(policy);
        }
    }

    private Medium open(TierPlan.Backend backend, Consumer<CopyTable> order) throws StartException {
        if (backend instanceof TierPlan.Ssd ssd) {
            return ssds.medium(ssd, order);
        }
        DramMedium medium = dram((TierPlan.Dram) backend);
        memory.add(medium);
        order.accept(medium.copies());
        return medium;
    }

    /** Its memory is touched once the server serves: until then the start needs all processors. */
    private DramMedium dram(TierPlan.Dram dram) throws StartException {
        DramOptions options = new DramOptions(
                dram.name(),
                dram.capacityBytes(),
                dram.pageBytes(),
                config.limits().maxValueBytes(),
                config.hugePages());
        try {
            return DramMedium.openUntouched(NativeSys.INSTANCE, options);
        } catch (SysException e) {
            throw new StartException(
                    "the kernel refuses " + dram.capacityBytes() + " bytes of memory for blocks: " + e.getMessage(), e);
        }
    }

    static PoolLimits limits(TidemarkConfig.Limits limits) {
        PoolLimitsBuilder made = PoolLimits.DEFAULT
                .but()
                .maxBlockBytes(limits.maxValueBytes())
                .reservationMillis(limits.stalledMillis())
                .putMillis(limits.putLimitMillis())
                .leaseMillis(limits.leaseMillis())
                .leasedShare(limits.leaseShare())
                .pinStallMillis(limits.stalledMillis())
                .pinnedShare(limits.pinShare())
                .spaceWaiters(limits.fullWaiters())
                .demotionRetryMillis(limits.demotionRetryMillis())
                .transitionWorkers(limits.moves().workers())
                .transitionBytes(limits.moves().bytes());
        limits.indexBytes().ifPresent(made::indexBytes);
        return made.build();
    }
}
