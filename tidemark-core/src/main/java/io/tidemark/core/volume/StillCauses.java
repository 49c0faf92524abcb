package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.util.Optional;

/** Finds out why nothing goes while deletion is on, as far as a whole walk has shown it. */
final class StillCauses {
    private final Cutoffs cutoffs;
    private final RefusedFiles refused;
    private final VolumeRefusals refusals;
    private final UnreadFolders unread;
    private final FileSorter sorter;
    private final OwnShards shards;
    private final VolumeRoot root;
    private final Layout layout;
    private final Thresholds thresholds;
    private final Clocks clocks;

    StillCauses(
            Cutoffs cutoffs,
            RefusedFiles refused,
            VolumeRefusals refusals,
            UnreadFolders unread,
            FileSorter sorter,
            OwnShards shards,
            CacheTree tree,
            Thresholds thresholds,
            Clocks clocks) {
        this.cutoffs = cutoffs;
        this.refused = refused;
        this.refusals = refusals;
        this.unread = unread;
        this.sorter = sorter;
        this.shards = shards;
        this.root = tree.root();
        this.layout = tree.layout();
        this.thresholds = thresholds;
        this.clocks = clocks;
    }

    /**
     * The cause.
     *
     * @param usage as last measured
     */
    StandStill.Cause find(Optional<Usage> usage) {
        Estimate now = cutoffs.estimate();
        int refusing = refused.count();
        if (refusals.lasts()) {
            return StandStill.Cause.NONE; // told by itself: what may go is tried, and fails
        }
        if (cutoffs.isLimitedByUncounted()) {
            return new StandStill.Cause(
                    StandStill.Kind.UNREAD,
                    "what lies in " + unread.text()
                            + " cannot be read, and may be colder than all that is counted; the rest"
                            + " stays below the critical mark of " + thresholds.critical()
                            + " %, until it can be read or has failed for " + UnreadFolders.MINUTES + " minutes");
        }
        if (!now.whole()) {
            return StandStill.Cause.NONE;
        }
        if (now.files() == 0) {
            return new StandStill.Cause(
                    StandStill.Kind.NO_BLOCKS,
                    "there is no block file of the layout " + layout.name() + " below " + root.cache()
                            + (shards.share() < 1
                                    ? ", in those of its shards that are ours; those of the other sweepers may hold some"
                                    : "; what fills the volume is something else"));
        }
        if (refusing > 0) {
            return new StandStill.Cause(
                    StandStill.Kind.REFUSED,
                    "files refuse to go, " + refusing + " of " + now.files() + " so far, the last with "
                            + refused.lastError());
        }
        long floorSeconds = clocks.wallMillis() / 1000 - cutoffs.floorSeconds();
        return floorSeconds > 0 && now.bytesOlderThan(floorSeconds) < 1
                ? allYoung(now, floorSeconds, usage)
                : StandStill.Cause.NONE;
    }

    private StandStill.Cause allYoung(Estimate now, long floorSeconds, Optional<Usage> usage) {
        String young = "all " + now.files() + " files were used within FILE_ACCESS_TIME_THRESHOLD_MINUTES="
                + StandStill.minutes(floorSeconds);
        String stay = young + "; they stay below the critical mark of " + thresholds.critical() + " %";
        long ahead = sorter.ahead();
        if (ahead > 0) {
            return new StandStill.Cause(
                    StandStill.Kind.CLOCK,
                    stay + "; of these " + ahead
                            + " bear stamps ahead of this machine's clock: it is wrong, or that of a" + " writer is");
        }
        return usage.flatMap(measured -> Smallness.of(now, shards.share(), measured, thresholds))
                .map(small -> new StandStill.Cause(StandStill.Kind.TOO_SMALL, small + " (" + young + ")"))
                .orElseGet(() -> new StandStill.Cause(StandStill.Kind.ALL_YOUNG, stay));
    }
}
