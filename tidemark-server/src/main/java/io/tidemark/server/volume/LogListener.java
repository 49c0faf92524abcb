package io.tidemark.server.volume;

import io.tidemark.core.pool.Clocks;
import io.tidemark.core.volume.Layout;
import io.tidemark.core.volume.RankDir;
import io.tidemark.core.volume.RehearsalEnd;
import io.tidemark.core.volume.RehearsalSum;
import io.tidemark.core.volume.Thresholds;
import io.tidemark.core.volume.Usage;
import io.tidemark.core.volume.VolumeConfig;
import io.tidemark.core.volume.VolumeListener;
import java.util.Locale;

/** Writes what the sweeper does into the log, and hands removals on to the delete events. */
final class LogListener implements VolumeListener {
    private final VolumeLog log;
    private final DeleteEvents events;
    private final Thresholds thresholds;
    private final Clocks clocks;
    private final int activator;
    private final CleanupSum removed = new CleanupSum();

    /** How lines name a mode that removes nothing; empty in earnest. */
    private final String rehearsal;

    /**
     * A listener.
     *
     * @param config says the marks, the mode, and the number of crawlers, from which the numbers of the other roles follow
     */
    LogListener(VolumeLog log, DeleteEvents events, VolumeConfig config, Clocks clocks) {
        this.log = log;
        this.events = events;
        this.thresholds = config.thresholds();
        this.rehearsal = DeletionLines.label(config.mode());
        this.clocks = clocks;
        this.activator = config.crawlers() + 1;
    }

    @Override
    public void deletionStarted(Usage usage) {
        removed.begin(clocks.monotonicNanos());
        String remark = rehearsal.isEmpty() ? "" : " (" + rehearsal + ": nothing is removed)";
        log.line(activator, "activator", "WARNING", DeletionLines.on(activator, usage, thresholds) + remark);
        log.line(
                activator,
                "activator",
                "INFO",
                DeletionLines.event("DELETION_START", clocks.wallMillis(), usage) + remark);
    }

    @Override
    public void deletionEnded(Usage usage) {
        log.line(activator, "activator", "INFO", DeletionLines.off(activator, usage, thresholds));
        log.line(activator, "activator", "INFO", DeletionLines.event("DELETION_END", clocks.wallMillis(), usage));
        log.line(
                activator + 1,
                "deleter",
                "INFO",
                DeletionLines.sum(removed.upTo(clocks.monotonicNanos()), clocks.wallMillis() / 1000));
    }

    @Override
    public void rehearsalEnded(Usage measured, Usage wouldBe, RehearsalSum sum, RehearsalEnd end) {
        switch (end) {
            case AT_TARGET -> {
                log.line(
                        activator,
                        "activator",
                        "INFO",
                        DeletionLines.wouldBeOff(activator, measured, wouldBe, thresholds, rehearsal));
                log.line(
                        activator,
                        "activator",
                        "INFO",
                        String.format(
                                Locale.ROOT,
                                "%s (%s: usage would be %.2f%%)",
                                DeletionLines.event("DELETION_END", clocks.wallMillis(), measured),
                                rehearsal,
                                wouldBe.percent()));
            }
            case OUT_OF_REACH, TOO_MANY ->
                log.line(
                        activator,
                        "activator",
                        "WARNING",
                        DeletionLines.outOfReach(activator, measured, wouldBe, thresholds, rehearsal, end));
        }
        log.line(activator + 1, "deleter", "INFO", DeletionLines.sum(sum, clocks.wallMillis() / 1000, rehearsal));
    }

    @Override
    public void removed(RankDir rank, Layout.BlockHash hash, long bytes, long usedSeconds) {
        removed.add(bytes, usedSeconds);
        events.removed(rank, hash);
    }

    @Override
    public void batchEnded() {
        events.flush();
    }

    @Override
    public void wouldRemove(String path, long bytes, long ageSeconds) {
        log.line(
                activator + 1,
                "deleter",
                "INFO",
                "DRY RUN: would delete " + printable(path) + " (" + bytes + " bytes, last used " + Age.text(ageSeconds)
                        + " ago)");
    }

    @Override
    public void warn(String message) {
        log.main("WARNING", printable(message));
    }

    /** One line whatever a name holds. */
    private static String printable(String text) {
        return text.chars().anyMatch(Character::isISOControl) ? text.replaceAll("\\p{Cntrl}", "?") : text;
    }
}
