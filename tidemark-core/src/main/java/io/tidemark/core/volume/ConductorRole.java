package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The conductor's role: has the volume walked when that is due, and what the walk has found brought in. */
final class ConductorRole {
    private static final long PAUSE_MILLIS = 100;

    private final OwnShards shards;
    private final CrawlConductor conductor;
    private final Harvest harvest;
    private final WalkTiming timing;
    private final EarlyLook early;
    private final Clocks clocks;
    private final long pauseMillis;
    private volatile long passNanos;

    /**
     * The role.
     *
     * @param early asked for a look once a walk has found the cache
     * @param intervalMillis time between two looks at the volume
     */
    ConductorRole(
            OwnShards shards,
            CrawlConductor conductor,
            Harvest harvest,
            WalkTiming timing,
            EarlyLook early,
            long intervalMillis,
            Clocks clocks) {
        this.shards = shards;
        this.conductor = conductor;
        this.harvest = harvest;
        this.timing = timing;
        this.early = early;
        this.clocks = clocks;
        this.pauseMillis = Math.min(intervalMillis, PAUSE_MILLIS);
    }

    /** Makes one walk, then waits until the next is due. */
    void step() throws InterruptedException {
        Set<Integer> digits = shards.ours();
        if (digits.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return;
        }
        harvest.begins();
        long started = clocks.monotonicNanos();
        conductor.begin(digits, true);
        early.ask();
        while (!conductor.awaitEnd(pauseMillis) && !timing.stopping()) {
            harvest.goesOn();
        }
        passNanos = clocks.monotonicNanos() - started;
        boolean whole =
                harvest.ended(conductor.last(), conductor.wentOverAll(), shards.share(digits), timing.stopping());
        timing.walkEnded(passNanos, whole);
        while (!timing.stopping()
                && !timing.due(harvest.enough())
                && shards.ours().equals(digits)) {
            TimeUnit.MILLISECONDS.sleep(pauseMillis);
        }
    }

    /** What the last walk took. */
    long passNanos() {
        return passNanos;
    }
}
