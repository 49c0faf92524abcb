package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;

/** The activator's role: looks at the volume when a look is due, and tells everything that depends on how full it is. */
final class ActivatorRole {
    private final EarlyLook early;
    private final Activator activator;
    private final Governor governor;
    private final OwnShards shards;
    private final Cutoffs cutoffs;
    private final RootWatch rootWatch;
    private final StandStill standStill;
    private final WalkTiming timing;
    private final Clocks clocks;

    ActivatorRole(
            EarlyLook early,
            Activator activator,
            Governor governor,
            OwnShards shards,
            Cutoffs cutoffs,
            RootWatch rootWatch,
            StandStill standStill,
            WalkTiming timing,
            Clocks clocks) {
        this.early = early;
        this.activator = activator;
        this.governor = governor;
        this.shards = shards;
        this.cutoffs = cutoffs;
        this.rootWatch = rootWatch;
        this.standStill = standStill;
        this.timing = timing;
        this.clocks = clocks;
    }

    /** Waits until a look is due, so long at most, and looks: that switches deletion on or off. */
    void step(long waitMillis) throws InterruptedException {
        if (early.await(waitMillis)) {
            look();
        }
    }

    private void look() {
        long began = clocks.monotonicNanos();
        activator.measure();
        long took = clocks.monotonicNanos() - began;
        activator.lastUsage().ifPresent(usage -> cutoffs.observe(usage, shards.share()));
        activator.decide();
        rootWatch.observe(activator.lastUsage());
        standStill.observe(governor.mayFree());
        activator.lastUsage().ifPresent(usage -> early.looked(timing.observe(usage), took));
    }
}
