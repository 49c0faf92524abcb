package io.tidemark.server.volume;

import io.tidemark.core.volume.Thresholds;
import io.tidemark.core.volume.Usage;
import java.util.Locale;

/** The lines that mark start and end of deletion, word for word what dashboards look for. */
final class DeletionLines {
    private DeletionLines() {}

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
