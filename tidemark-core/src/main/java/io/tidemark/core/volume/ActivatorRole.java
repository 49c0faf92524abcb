package io.tidemark.core.volume;

/** The activator's role: looks at the volume when a look is due, and tells everything that depends on how full it is. */
final class ActivatorRole {
    private final SweeperParts parts;

    ActivatorRole(SweeperParts parts) {
        this.parts = parts;
    }

    /** Waits until a look is due, so long at most, and looks: that switches deletion on or off. */
    void step(long waitMillis) throws InterruptedException {
        if (parts.early.await(waitMillis)) {
            look();
        }
    }

    private void look() {
        long began = parts.clocks.monotonicNanos();
        parts.activator.look(parts.shards.share());
        long took = parts.clocks.monotonicNanos() - began;
        Governor governor = parts.governor;
        PassSchedule schedule = parts.schedule;
        parts.rootWatch.observe(parts.activator.lastUsage());
        parts.standStill.observe(governor.on() && parts.grant.open());
        parts.activator.lastUsage().ifPresent(usage -> {
            schedule.observe(usage);
            parts.early.looked(!governor.on() && schedule.justBelowMark(), took);
            parts.pace.urgent(governor.on() || !parts.cutoffs.estimate().whole() || schedule.nearMark());
        });
    }
}
