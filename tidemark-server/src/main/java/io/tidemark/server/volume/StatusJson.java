package io.tidemark.server.volume;

import io.tidemark.core.volume.AgeShare;
import io.tidemark.core.volume.CrawlerStats;
import io.tidemark.core.volume.RehearsalSum;
import io.tidemark.core.volume.SweepMode;
import io.tidemark.core.volume.Usage;
import io.tidemark.core.volume.VolumeStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The status of a sweeper as a tree for JSON. */
final class StatusJson {
    private StatusJson() {}

    /**
     * The tree.
     *
     * @param rehearsal what a sweeper that removes nothing would have removed since deletion began; shown for none that does
     */
    static Map<String, Object> of(VolumeStatus status, SweepMode mode, RehearsalSum rehearsal, List<AgeShare> ages) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mode", mode.name().toLowerCase(Locale.ROOT));
        json.put("deleting", status.deleting());
        if (mode != SweepMode.RUN) {
            json.put("would_remove_files", rehearsal.files());
            json.put("would_remove_bytes", rehearsal.bytes());
        }
        json.put("cleanup_percent", status.thresholds().cleanup());
        json.put("target_percent", status.thresholds().target());
        json.put("critical_percent", status.thresholds().critical());
        status.usage().ifPresent(usage -> json.put("usage", usage(usage)));
        CrawlerStats.Reading all =
                status.crawlers().stream().reduce(new CrawlerStats.Reading(0, 0, 0, 0, 0), CrawlerStats.Reading::plus);
        json.put("discovered", all.discovered());
        json.put("ready_files", status.readyFiles());
        json.put("removed_files", status.removedFiles());
        json.put("removed_bytes", status.removedBytes());
        json.put("removed_folders", status.removedFolders());
        json.put("passes", status.passes());
        json.put("recency_source", status.recencySource().label());
        json.put("shards", status.shards());
        json.put("problem", status.problem());
        json.put("ages", AgeBars.json(ages));
        return json;
    }

    private static Map<String, Object> usage(Usage usage) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("percent", usage.percent());
        json.put("used_bytes", usage.usedBytes());
        json.put("total_bytes", usage.totalBytes());
        json.put("used_inodes", usage.usedInodes());
        json.put("total_inodes", usage.totalInodes());
        return json;
    }
}
