package io.tidemark.core.volume;

import java.nio.file.Path;
import java.util.Map;

/**
 * What a sweeper is to do. Values are checked by whoever reads them from people; {@link Thresholds} checks itself.
 *
 * @param mount where the volume is mounted
 * @param cacheDirectory root of the cache, relative to the mount
 * @param deletersMax threads that free; useful where a call takes long
 * @param batch files between two looks at the usage
 * @param queueMin files kept ready at least
 * @param queueMax files handed from the crawlers' find to the deleters at a time
 * @param readyBuffer files kept ready at most
 * @param folderTtlSeconds how long a folder must have been left alone to be removed
 * @param orphanSeconds age from which a temporary file is an orphan
 * @param intervalMillis time between two looks at the usage
 * @param passSeconds time between two walks while the volume is far from its mark
 * @param filesPerSecondMax files removed in a second at most, 0 for no limit
 * @param ttlSeconds time to live by model
 * @param quotaBytes allocated bytes by model
 * @param countInodes whether the marks hold for inodes too
 * @param adopted the operator says that this root is a cache
 * @param leases share the volume with other sweepers through lease files
 */
public record VolumeConfig(
        Path mount,
        String cacheDirectory,
        Layout layout,
        RecencyRule recency,
        Thresholds thresholds,
        int crawlers,
        int deletersMax,
        int batch,
        int queueMin,
        int queueMax,
        int readyBuffer,
        boolean folderCleaning,
        long folderTtlSeconds,
        long orphanSeconds,
        long intervalMillis,
        long passSeconds,
        long filesPerSecondMax,
        Map<String, Long> ttlSeconds,
        Map<String, Long> quotaBytes,
        boolean countInodes,
        boolean adopted,
        boolean leases,
        SweepMode mode) {}
