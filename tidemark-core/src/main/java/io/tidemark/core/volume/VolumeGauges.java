package io.tidemark.core.volume;

import io.tidemark.core.pool.CounterVisitor;
import java.util.OptionalLong;

/** What a sweeper shows of its present state. */
record VolumeGauges(
        VolumeStatus status,
        Estimate estimate,
        long passNanos,
        int parkedFiles,
        int unreadFolders,
        int touchLogsBehind) {
    /**
     * Shows everything.
     *
     * @param youngest last use up to which files may go now
     */
    void show(CounterVisitor visitor, long nowSeconds, OptionalLong youngest) {
        status.usage().ifPresent(usage -> usage(visitor, usage));
        visitor.gauge(
                "tidemark_volume_answers",
                "1 while the volume answers; 0 too while no look at it has come back for 10 s.",
                status.usage().isPresent() ? 1 : 0);
        visitor.gauge("tidemark_volume_deleting", "1 while deletion is on.", status.deleting() ? 1 : 0);
        mark(visitor, "cleanup", status.thresholds().cleanup());
        mark(visitor, "target", status.thresholds().target());
        mark(visitor, "critical", status.thresholds().critical());
        CrawlerStats.Reading all =
                status.crawlers().stream().reduce(new CrawlerStats.Reading(0, 0, 0, 0, 0), CrawlerStats.Reading::plus);
        visitor.counter("tidemark_volume_files_seen_total", "Files looked at by walks.", all.discovered());
        visitor.counter(
                "tidemark_volume_look_errors_total", "Failed looks at files and directories.", all.statErrors());
        visitor.gauge("tidemark_volume_files", "Files on our share of the volume.", (double) estimate.files());
        visitor.gauge("tidemark_volume_ready_files", "Coldest files kept ready.", status.readyFiles());
        visitor.gauge("tidemark_volume_parked_files", "Files left out because they refused to go.", parkedFiles);
        visitor.gauge("tidemark_volume_unread_folders", "Folders that the last walk could not read.", unreadFolders);
        visitor.gauge("tidemark_volume_pass_seconds", "What the last walk took.", passNanos / 1e9);
        visitor.gauge("tidemark_volume_shards", "Of 16 shards, those that are ours.", status.shards());
        visitor.gauge(
                "tidemark_volume_problem",
                "1 while something keeps the sweeper from its work.",
                status.problem().isEmpty() ? 0 : 1);
        youngest.stream()
                .filter(seconds -> seconds > Long.MIN_VALUE) // none may
                .forEach(seconds -> visitor.gauge(
                        "tidemark_volume_cutoff_age_seconds", "Files older than this may go now.", (double)
                                (nowSeconds - seconds)));
        for (RecencySource source : RecencySource.values()) {
            visitor.gauge(
                    "tidemark_volume_recency_source",
                    "1 for where the order of removal comes from on this mount.",
                    source == status.recencySource() ? 1 : 0,
                    "source",
                    source.label());
        }
        visitor.gauge(
                "tidemark_volume_touch_logs_behind",
                "Rank directories whose touch logs are not read to their end: what is left protects nothing yet.",
                touchLogsBehind);
        for (AgeShare share : estimate.shares()) {
            visitor.gauge(
                    "tidemark_volume_age_bytes",
                    "Allocated bytes by time since the last use, each byte in one bar: the label is the bar's younger end.",
                    (double) share.bytes(),
                    "age_from_seconds",
                    Long.toString(share.fromSeconds()));
        }
    }

    private static void usage(CounterVisitor visitor, Usage usage) {
        visitor.gauge("tidemark_volume_used_bytes", "Bytes in use.", (double) usage.usedBytes());
        visitor.gauge(
                "tidemark_volume_capacity_bytes", "Bytes in use and usable by writers.", (double) usage.totalBytes());
        visitor.gauge("tidemark_volume_used_inodes", "Inodes in use.", (double) usage.usedInodes());
        visitor.gauge("tidemark_volume_capacity_inodes", "Inodes in all.", (double) usage.totalInodes());
        visitor.gauge("tidemark_volume_used_ratio", "The fuller of bytes and inodes, 0 to 1.", usage.percent() / 100);
    }

    private static void mark(CounterVisitor visitor, String name, double percent) {
        visitor.gauge("tidemark_volume_mark_ratio", "Marks, 0 to 1.", percent / 100, "mark", name);
    }
}
