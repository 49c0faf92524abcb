package io.tidemark.server.volume;

import io.tidemark.core.volume.RehearsalEnd;
import io.tidemark.core.volume.RehearsalSum;
import io.tidemark.core.volume.SweepMode;
import io.tidemark.core.volume.Thresholds;
import io.tidemark.core.volume.Usage;
import java.util.Locale;

/** The lines that mark start and end of deletion, word for word what dashboards look for. */
final class DeletionLines {
    private DeletionLines() {}

    /** How lines name what removes nothing; empty for what does. */
    static String label(SweepMode mode) {
        return switch (mode) {
            case RUN -> "";
            case DRY_RUN -> "DRY RUN";
            case SHADOW -> "SHADOW";
        };
    }

    static String on(int process, Usage usage, Thresholds thresholds) {
        return String.format(
                Locale.ROOT,
                "Activator P%d: Usage %.2f%% >= %.1f%% - Triggering deletion ON%s",
                process,
                usage.percent(),
                thresholds.cleanup(),
                inodes(usage));
    }

    static String off(int process, Usage usage, Thresholds thresholds) {
        return String.format(
                Locale.ROOT,
                "Activator P%d: Usage %.2f%% <= %.1f%% - Triggering deletion OFF",
                process,
                usage.percent(),
                thresholds.target());
    }

    /** The end of a rehearsal, at a usage that nobody measured. */
    static String wouldBeOff(int process, Usage measured, Usage wouldBe, Thresholds thresholds, String mode) {
        return String.format(
                Locale.ROOT,
                "Activator P%d: Usage would be %.2f%% <= %.1f%% - Triggering deletion OFF (%s: nothing was removed, usage"
                        + " is %.2f%%)",
                process,
                wouldBe.percent(),
                thresholds.target(),
                mode,
                measured.percent());
    }

    /** The end of a rehearsal that does not come to the target. */
    static String outOfReach(
            int process, Usage measured, Usage wouldBe, Thresholds thresholds, String mode, RehearsalEnd end) {
        String why = switch (end) {
            case AT_TARGET -> "";
            case OUT_OF_REACH -> "nothing more may go, so deletion would stay ON";
            case TOO_MANY ->
                "more files would go than a rehearsal keeps in mind, READY_BUFFER or a million, so it ends here";
        };
        return String.format(
                Locale.ROOT,
                "Activator P%d: Usage would be %.2f%% > %.1f%%: %s (%s: nothing was removed, usage is %.2f%%)",
                process,
                wouldBe.percent(),
                thresholds.target(),
                why,
                mode,
                measured.percent());
    }

    /** What a rehearsal would have removed, in all. */
    static String sum(RehearsalSum sum, long nowSeconds, String mode) {
        return String.format(
                Locale.ROOT,
                "%s: would delete %d files in all (%d bytes, %s), last used %s to %s ago",
                mode,
                sum.files(),
                sum.bytes(),
                StatusBlock.gib(sum.bytes()),
                Age.text(nowSeconds - sum.youngestSeconds()),
                Age.text(nowSeconds - sum.coldestSeconds()));
    }

    /** What a deletion has removed, in all. */
    static String sum(CleanupSum.Removed removed, long nowSeconds) {
        double seconds = removed.nanos() / 1e9;
        if (removed.files() == 0) {
            return String.format(
                    Locale.ROOT, "deleted no file in %.1f s: others did, or the usage fell by itself", seconds);
        }
        return String.format(
                Locale.ROOT,
                "deleted %d files in all (%d bytes, %s) in %.1f s, last used %s to %s ago",
                removed.files(),
                removed.bytes(),
                StatusBlock.gib(removed.bytes()),
                seconds,
                Age.text(nowSeconds - removed.youngestSeconds()),
                Age.text(nowSeconds - removed.coldestSeconds()));
    }

    private static String inodes(Usage usage) {
        return usage.inodesPercent() > usage.bytesPercent() ? " (inodes)" : "";
    }

    /**
     * The event line.
     *
     * @param event {@code DELETION_START} or {@code DELETION_END}
     */
    static String event(String event, long wallMillis, Usage usage) {
        return String.format(
                Locale.ROOT,
                "%s: timestamp=%.3f, usage=%.2f%%, used=%s, total=%s",
                event,
                wallMillis / 1000.0,
                usage.percent(),
                StatusBlock.gib(usage.usedBytes()),
                StatusBlock.gib(usage.totalBytes()));
    }
}
