package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;

/** Brings in what walks find: to the cut-offs, to the ready buffer, to the rules of models and to a rehearsal. One thread. */
final class Harvest {
    private final Findings findings;
    private final ModelRules rules;
    private final ReadySupply supply;
    private final Cutoffs cutoffs;
    private final WalkProgress progress;
    private final RehearsalReach rehearsal;
    private final Clocks clocks;

    /** Whether all was known before the walk: else what may go was not, and that nothing went says nothing. */
    private boolean knewAll;

    Harvest(
            Findings findings,
            ModelRules rules,
            ReadySupply supply,
            Cutoffs cutoffs,
            WalkProgress progress,
            RehearsalReach rehearsal,
            Clocks clocks) {
        this.findings = findings;
        this.rules = rules;
        this.supply = supply;
        this.cutoffs = cutoffs;
        this.progress = progress;
        this.rehearsal = rehearsal;
        this.clocks = clocks;
    }

    /** Makes ready for a walk. */
    void begins() {
        supply.walkBegins(nowSeconds());
        cutoffs.walkBegins();
        findings.sorter().walkBegins();
    }

    /** Brings in what the walk going on has found so far. */
    void goesOn() {
        supply.renew();
    }

    /**
     * Brings in what a walk has found.
     *
     * @param all it has gone over all that is there
     * @param walkedShare the part of the volume that it went over
     * @param stopped it was told to stop
     * @return whether all of that is known by now
     */
    boolean ended(CrawlConductor.Walk walk, boolean all, double walkedShare, boolean stopped) {
        Estimate counted = cutoffs.renew();
        boolean walked = walk.problem().isEmpty();
        boolean whole = walked && counted.whole();
        boolean overAll = whole && all && !stopped;
        if (overAll) {
            supply.walkEnds(counted.files() > 0);
        }
        if (walked && !stopped) {
            findings.unread().walkEnded(whole, counted.files() > 0);
        } else {
            findings.unread().walkFailed();
        }
        boolean fruitless = progress.missing() && knewAll;
        cutoffs.walked(fruitless);
        supply.renew();
        if (walked) {
            findings.counters().passDone();
        }
        if (whole && !stopped) {
            rehearsal.walked(fruitless);
        }
        rules.recount(walk.ranks(), findings.census(), nowSeconds(), walkedShare);
        knewAll = whole && !findings.unread().areUnknown();
        return knewAll;
    }

    /** Whether enough is ready for deletion to go on without a walk. */
    boolean enough() {
        return supply.enough();
    }

    private long nowSeconds() {
        return clocks.wallMillis() / 1000;
    }
}
