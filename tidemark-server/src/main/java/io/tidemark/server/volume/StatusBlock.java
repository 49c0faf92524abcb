package io.tidemark.server.volume;

import io.tidemark.core.volume.CrawlerStats;
import io.tidemark.core.volume.Usage;
import io.tidemark.core.volume.VolumeStatus;
import java.util.List;
import java.util.Locale;

/** The block of status lines, word for word what dashboards look for. */
final class StatusBlock {
    private static final double GIB = 1024.0 * 1024 * 1024;

    private StatusBlock() {}

    static String of(VolumeStatus status, boolean folderCleaning) {
        int crawlers = status.crawlers().size();
        CrawlerStats.Reading all =
                status.crawlers().stream().reduce(new CrawlerStats.Reading(0, 0, 0, 0, 0), CrawlerStats.Reading::plus);
        StringBuilder block = new StringBuilder("=== System Status ===\n");
        block.append("Crawlers: ").append(crawlers).append(" active\n");
        line(block, "Current deletion queue depth", status.readyFiles());
        line(block, "Total files discovered", all.discovered());
        line(block, "Total files queued", all.queued());
        line(block, "Total empty folders queued for cleanup", all.emptyFolders());
        line(block, "Total files skipped (hot)", all.hot());
        line(block, "Total stat errors", all.statErrors());
        crawlers(block, status);
        block.append("Activator P").append(crawlers + 1).append(":\n");
        status.usage()
                .ifPresent(usage ->
                        block.append("  PVC Usage: ").append(usage(usage)).append('\n'));
        block.append("  Deletion: ").append(status.deleting() ? "ON" : "OFF").append('\n');
        block.append(String.format(
                Locale.ROOT,
                "  Thresholds: cleanup=%.1f%%, target=%.1f%%%n",
                status.thresholds().cleanup(),
                status.thresholds().target()));
        block.append("Deleter P").append(crawlers + 2).append(":\n");
        line(block, "Files deleted", status.removedFiles());
        block.append("  Space freed: ").append(gib(status.removedBytes())).append('\n');
        if (folderCleaning) {
            block.append("Folder Cleaners: 1 active\n");
            line(block, "Total empty folders purged", status.removedFolders());
            block.append("  P")
                    .append(crawlers + 3)
                    .append(": purged=")
                    .append(status.removedFolders())
                    .append('\n');
        }
        return block.append("=".repeat(21)).toString();
    }

    private static void crawlers(StringBuilder block, VolumeStatus status) {
        List<CrawlerStats.Reading> readings = status.crawlers();
        for (int i = 0; i < readings.size(); i++) {
            CrawlerStats.Reading one = readings.get(i);
            block.append(String.format(
                    Locale.ROOT,
                    "  P%d: discovered=%d, queued=%d, empty_folders_queued=%d, skipped=%d, stat_errors=%d, queue_size=%d%n",
                    i + 1,
                    one.discovered(),
                    one.queued(),
                    one.emptyFolders(),
                    one.hot(),
                    one.statErrors(),
                    status.readyFiles()));
        }
    }

    private static void line(StringBuilder block, String name, long value) {
        block.append("  ").append(name).append(": ").append(value).append('\n');
    }

    private static String usage(Usage usage) {
        return String.format(
                Locale.ROOT, "%.1f%% (%s / %s)", usage.bytesPercent(), gib(usage.usedBytes()), gib(usage.totalBytes()));
    }

    /** Bytes as the old evictor writes them: GiB under the name of GB. */
    static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.2fGB", bytes / GIB);
    }
}
