package io.tidemark.core.volume;

/** When the volume is walked, and how fast: both by how near the mark is, and by whether deletion waits for what a walk finds. */
final class WalkTiming {
    private final PassSchedule schedule;
    private final Pace pace;
    private final Governor governor;
    private final Cutoffs cutoffs;

    WalkTiming(PassSchedule schedule, Pace pace, Governor governor, Cutoffs cutoffs) {
        this.schedule = schedule;
        this.pace = pace;
        this.governor = governor;
        this.cutoffs = cutoffs;
    }

    /**
     * Takes in how full the volume is.
     *
     * @return whether deletion is off and may have to start soon
     */
    boolean observe(Usage usage) {
        schedule.observe(usage);
        pace.urgent(governor.on() || !cutoffs.estimate().whole() || schedule.nearMark());
        return !governor.on() && schedule.justBelowMark();
    }

    /** Says that a walk ended, which was whole or not. */
    void walkEnded(long tookNanos, boolean whole) {
        schedule.passEnded(tookNanos, whole);
    }

    /** Whether the next walk is due, given whether enough files are ready. */
    boolean due(boolean enoughReady) {
        return schedule.due(governor.on(), enoughReady);
    }

    /** Whether the sweeper has been told to stop: no walk is to be waited for any more. */
    boolean stopping() {
        return pace.stopping();
    }
}
