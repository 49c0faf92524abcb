package io.tidemark.core.volume;

import java.util.List;
import java.util.Optional;

/**
 * What a sweeper is doing.
 *
 * @param usage as last measured; empty while the volume does not answer, and once no look at it has come back for ten seconds
 * @param deleting whether deletion is on; not while no look comes back
 * @param readyFiles coldest files kept ready
 * @param passes walks ended
 * @param recencySource where the order of removal comes from on this mount
 * @param shards of 16, those that are ours
 * @param problem what keeps the sweeper from its work; empty when nothing does
 */
public record VolumeStatus(
        Optional<Usage> usage,
        boolean deleting,
        Thresholds thresholds,
        List<CrawlerStats.Reading> crawlers,
        int readyFiles,
        long removedFiles,
        long removedBytes,
        long removedFolders,
        long passes,
        RecencySource recencySource,
        int shards,
        String problem) {}
