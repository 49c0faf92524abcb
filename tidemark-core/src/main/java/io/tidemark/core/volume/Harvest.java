package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;

/** Brings in what walks find: to the cut-offs, to the ready buffer, to the rules of models and to a rehearsal. One thread. */
final class Harvest {
    private final Finds finds;
    private final ModelRules rules;
    private final Admission admission;
    private final Cutoffs cutoffs;
    private final Fruit fruit;
    private final RehearsalReach rehearsal;
    private final Clocks clocks;

    /** Whether all was known before the walk: else what may go was not, and that nothing went says nothing. */
    private boolean knewAll;

    Harvest(
            Finds finds,
            ModelRules rules,
            Admission admission,
            Cutoffs cutoffs,
            Fruit fruit,
            RehearsalReach rehearsal,
            Clocks clocks) {
        this.finds = finds;
        this.rules = rules;
        this.admission = admission;
        this.cutoffs = cutoffs;
        this.fruit = fruit;
        this.rehearsal = rehearsal;
        this.clocks = clocks;
    }

    /** Makes ready for a walk. */
    void begins() {
        admission.walkBegins(nowSeconds());
        cutoffs.walkBegins();
        finds.sorter().walkBegins();
    }

    /** Brings in what the walk going on has found so far. */
    void goesOn() {
        admission.renew();
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
            admission.walkEnds(counted.files() > 0);
        }
        if (walked && !stopped) {
            finds.unread().walkEnded(whole, counted.files() > 0);
        } else {
            finds.unread().walkFailed();
        }
        boolean fruitless = fruit.missing() && knewAll;
        cutoffs.walked(fruitless);
        admission.renew();
        if (walked) {
            finds.counters().passDone();
        }
        if (whole && !stopped) {
            rehearsal.walked(fruitless);
        }
        rules.recount(walk.ranks(), finds.census(), nowSeconds(), walkedShare);
        knewAll = whole && !finds.unread().areUnknown();
        return knewAll;
    }

    /** Whether enough is ready for deletion to go on without a walk. */
    boolean enough() {
        return admission.enough();
    }

    private long nowSeconds() {
        return clocks.wallMillis() / 1000;
    }
}
