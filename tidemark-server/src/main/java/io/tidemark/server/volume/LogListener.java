package io.tidemark.server.volume;

import io.tidemark.core.pool.Clocks;
import io.tidemark.core.volume.Layout;
import io.tidemark.core.volume.RankDir;
import io.tidemark.core.volume.Thresholds;
import io.tidemark.core.volume.Usage;
import io.tidemark.core.volume.VolumeListener;

/** Writes what the sweeper does into the log, and hands removals on to the delete events. */
final class LogListener implements VolumeListener {
    private final VolumeLog log;
    private final DeleteEvents events;
    private final Thresholds thresholds;
    private final Clocks clocks;
    private final int activator;

    /**
     * A listener.
     *
     * @param crawlers number of crawlers, from which the numbers of the other roles follow
     */
    LogListener(VolumeLog log, DeleteEvents events, Thresholds thresholds, Clocks clocks, int crawlers) {
        this.log = log;
        this.events = events;
        this.thresholds = thresholds;
        this.clocks = clocks;
        this.activator = crawlers + 1;
    }

    @Override
    public void deletionStarted(Usage usage) {
        log.line(activator, "activator", "WARNING", DeletionLines.on(activator, usage, thresholds));
        log.line(activator, "activator", "INFO", DeletionLines.event("DELETION_START", clocks.wallMillis(), usage));
    }

    @Override
    public void deletionEnded(Usage usage) {
        log.line(activator, "activator", "INFO", DeletionLines.off(activator, usage, thresholds));
        log.line(activator, "activator", "INFO", DeletionLines.event("DELETION_END", clocks.wallMillis(), usage));
    }

    @Override
    public void removed(RankDir rank, Layout.BlockHash hash) {
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
                "DRY RUN: would delete " + printable(path) + " (" + bytes + " bytes, last used " + ageSeconds
                        + " s ago)");
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
