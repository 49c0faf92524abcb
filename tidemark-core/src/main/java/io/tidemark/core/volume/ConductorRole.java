package io.tidemark.core.volume;

import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The conductor's role: has the volume walked when that is due, and takes in what the walk has found. */
final class ConductorRole {
    private static final long PAUSE_MILLIS = 100;

    private final SweeperParts parts;
    private final Governor governor;
    private final CrawlConductor conductor;
    private final OwnShards shards;
    private final Pace pace;
    private final long pauseMillis;
    private volatile long passNanos;

    /** Files removed up to the end of the walk before. */
    private volatile long removedBefore;

    ConductorRole(SweeperParts parts) {
        this.parts = parts;
        governor = parts.governor;
        conductor = parts.conductor;
        shards = parts.shards;
        pace = parts.pace;
        pauseMillis = Math.min(parts.config.intervalMillis(), PAUSE_MILLIS);
    }

    /** Makes one walk, then waits until the next is due. */
    void step() throws InterruptedException {
        Set<Integer> digits = shards.ours();
        if (digits.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return;
        }
        parts.ready.rebase(parts.nowSeconds());
        long started = parts.clocks.monotonicNanos();
        parts.sorter.walkBegins();
        conductor.begin(digits, parts.config.folderCleaning(), true);
        parts.early.ask();
        while (!conductor.awaitEnd(pauseMillis) && !pace.stopping()) {
            admit();
        }
        ended(started, shards.share(digits));
        while (!pace.stopping() && !isDue() && shards.ours().equals(digits)) {
            TimeUnit.MILLISECONDS.sleep(pauseMillis);
        }
    }

    /** What the last walk took. */
    long passNanos() {
        return passNanos;
    }

    private boolean isDue() {
        return parts.schedule.due(governor.on(), parts.ready.size() >= parts.config.queueMin());
    }

    /** Says how cold a file has to be for the ready buffer, as far as is known by now. */
    private void admit() {
        parts.activator
                .lastUsage()
                .ifPresent(usage -> parts.ready.admitUntil(parts.cutoffs.admittedSeconds(usage, parts.shards.share())));
    }

    /** Takes in what a walk has found, over the part of the volume that it went over. */
    private void ended(long startedNanos, double walkedShare) {
        Estimate counted = parts.cutoffs.renew();
        long removed = parts.removals.gone();
        boolean fruitless = governor.on() && removed == removedBefore;
        parts.cutoffs.walked(fruitless);
        removedBefore = removed;
        admit();
        passNanos = parts.clocks.monotonicNanos() - startedNanos;
        boolean walked = conductor.last().problem().isEmpty();
        if (walked) {
            parts.counters.passDone();
        }
        if (walked && counted.whole() && !pace.stopping()) {
            rehearsalWalked(fruitless);
        }
        parts.rules.recount(conductor.last().ranks(), parts.census, parts.nowSeconds(), walkedShare);
        parts.schedule.passEnded(passNanos, walked && counted.whole());
    }

    private void rehearsalWalked(boolean fruitless) {
        parts.rehearsal.walkEnded();
        OptionalLong youngest = parts.cutoffs.youngestStampSeconds();
        if (fruitless && youngest.isPresent() && !parts.ready.offers(youngest.getAsLong())) {
            parts.activator.nothingMore();
            parts.early.ask();
        }
    }
}
