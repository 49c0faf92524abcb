package io.tidemark.server.volume;

import java.util.List;
import java.util.Map;

/**
 * Every setting of the volume evictor: the one list that file, environment, flags and help are made from. The first
 * seventeen are those of the evictor it replaces, with their names and defaults.
 */
public final class VolumeSettings {
    private static final double DAY_SECONDS = 86_400;

    static final VolumeSetting<String> MOUNT =
            Forms.path("PVC_MOUNT_PATH", "/kv-cache", "Where the volume is mounted; waited for at most a minute.");
    static final VolumeSetting<String> CACHE_DIRECTORY =
            Forms.path("CACHE_DIRECTORY", "kv/model-cache/models", "Root of the cache, relative to the mount.");
    static final VolumeSetting<Double> CLEANUP = Forms.number(
            "CLEANUP_THRESHOLD", "85.0", 0, 100, "Percent in use (bytes or inodes) at which deletion starts.");
    static final VolumeSetting<Double> TARGET = Forms.number(
            "TARGET_THRESHOLD", "70.0", 0, 100, "Percent in use at which deletion ends; below the cleanup threshold.");
    static final VolumeSetting<Integer> CRAWLERS =
            Forms.powerOfTwo("NUM_CRAWLER_PROCESSES", "8", 16, "Crawlers: 1, 2, 4, 8 or 16.");
    static final VolumeSetting<Double> INTERVAL =
            Forms.number("LOGGER_INTERVAL_SECONDS", "0.5", 0.01, 3600, "Seconds between two looks at the usage.");
    static final VolumeSetting<Integer> QUEUE_MAX = Forms.count(
            "FILE_QUEUE_MAXSIZE", "10000", 1, 1_000_000, "Files handed to a deleter at a time; also the folder queue.");
    static final VolumeSetting<Integer> QUEUE_MIN = Forms.count(
            "FILE_QUEUE_MIN_SIZE",
            "1000",
            0,
            1_000_000,
            "While deletion is on, the next walk starts once fewer files than this are ready.");
    static final VolumeSetting<Integer> BATCH =
            Forms.count("DELETION_BATCH_SIZE", "100", 1, 100_000, "Files removed between two looks at the usage.");
    static final VolumeSetting<Double> FLOOR_MINUTES = Forms.number(
            "FILE_ACCESS_TIME_THRESHOLD_MINUTES",
            "60.0",
            0,
            10 * 365 * DAY_SECONDS / 60,
            "Files used within so many minutes stay, below the critical threshold.");
    static final VolumeSetting<Integer> BUCKET_LENGTH =
            Forms.count("HEX_BUCKET_LEN", "3", 1, 8, "Length of the names of the first-level buckets.");
    static final VolumeSetting<Boolean> FOLDERS =
            Forms.truth("ENABLE_DIR_CLEANUP", true, "Remove folders that have become empty.");
    static final VolumeSetting<Double> FOLDER_TTL = Forms.number(
            "DIR_CLEANUP_TTL_SECONDS",
            "120.0",
            0,
            365 * DAY_SECONDS,
            "Seconds that an empty folder must have been left alone before it is removed.");
    static final VolumeSetting<String> EVENTS = Forms.endpoint(
            "STORAGE_EVENTS_ENDPOINT", "Address that delete events are published at, tcp://*:5557; empty: none.");
    static final VolumeSetting<Boolean> DRY_RUN =
            Forms.truth("DRY_RUN", false, "List what would be removed, and remove nothing.");
    static final VolumeSetting<String> LOG_LEVEL = Forms.choice(
            "LOG_LEVEL", "INFO", List.of("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"), "Least level of log lines.");
    static final VolumeSetting<String> LOG_FILE =
            Forms.path("LOG_FILE_PATH", "", "File that log lines are written to as well; rotated at 64 MiB.");

    static final VolumeSetting<Double> CRITICAL = Forms.number(
            "CRITICAL_THRESHOLD",
            "",
            0,
            100,
            "Percent in use from which no age protects a file. Default: 95, or the cleanup threshold if that is higher.");
    static final VolumeSetting<String> LAYOUT = Forms.choice(
            "LAYOUT",
            "fs",
            List.of("fs", "sglang", "shfs"),
            "Layout on disk: fs (vLLM, llm-d), sglang (file backend), shfs (AIBrix).");
    static final VolumeSetting<Boolean> STRICT = Forms.truth(
            "LAYOUT_STRICT",
            true,
            "Only names exactly as the writers make them; false: whatever the old evictor took.");
    static final VolumeSetting<String> RECENCY = Forms.choice(
            "RECENCY",
            "max",
            List.of("max", "atime", "mtime"),
            "Stamp that says when a file was last used; max is the later of the two.");
    static final VolumeSetting<Integer> READY_BUFFER =
            Forms.count("READY_BUFFER", "1000000", 1, 100_000_000, "Coldest files kept ready, 68 bytes each.");
    static final VolumeSetting<Integer> DELETERS =
            Forms.count("NUM_DELETERS", "2", 1, 64, "Threads that remove files; more help on network file systems.");
    static final VolumeSetting<Double> ORPHAN_TTL = Forms.number(
            "TMP_TTL_SECONDS", "3600", 60, 365 * DAY_SECONDS, "Age from which a temporary file is an orphan.");
    static final VolumeSetting<Double> PASS_SECONDS = Forms.number(
            "PASS_INTERVAL_SECONDS", "600", 1, DAY_SECONDS, "Seconds between two walks while the mark is far.");
    static final VolumeSetting<Integer> RATE =
            Forms.count("DELETION_RATE_LIMIT", "0", 0, 100_000_000, "Files removed in a second at most; 0: no limit.");
    static final VolumeSetting<Map<String, Long>> MODEL_TTL = Forms.perModel(
            "MODEL_TTL",
            "MODEL=TIME, ... with times such as 12h or 7d",
            Forms::seconds,
            "Time since the last use after which a model's files go: MODEL=TIME, ... in s, m, h or d, as org/m=12h,b=7d.");
    static final VolumeSetting<Map<String, Long>> MODEL_QUOTA = Forms.perModel(
            "MODEL_QUOTA",
            "MODEL=SIZE, ... with sizes such as 500Gi",
            Forms::bytes,
            "Bytes that a model may have; its coldest files go above it: MODEL=SIZE, ... as org/m=500Gi,b=2Ti.");
    static final VolumeSetting<String> MEDIUM = Forms.choice(
            "STORAGE_EVENTS_MEDIUM",
            "SHARED_STORAGE",
            List.of("SHARED_STORAGE", "FS", "STORAGE"),
            "Name of the medium in delete events.");
    static final VolumeSetting<Boolean> INODES =
            Forms.truth("CHECK_INODES", true, "The thresholds hold for inodes as well as for bytes.");
    static final VolumeSetting<Boolean> ADOPT = Forms.truth(
            "ADOPT", false, "The operator vouches that the root is a cache, though its layout does not prove it.");
    static final VolumeSetting<Boolean> SHADOW =
            Forms.truth("SHADOW", false, "Remove nothing; compare with what another evictor removes.");
    static final VolumeSetting<Boolean> LEASES =
            Forms.truth("SWEEPER_LEASES", true, "Share the volume with other sweepers through lease files on it.");
    static final VolumeSetting<String> STATUS_LINES = Forms.choice(
            "STATUS_LINES",
            "always",
            List.of("always", "changes"),
            "Status block each 30 s, or only after something has changed and once an hour.");
    static final VolumeSetting<String> HTTP =
            Forms.address("METRICS_ADDRESS", "127.0.0.1:9466", "HOST:PORT of health and metrics; empty: none.");
    static final VolumeSetting<Boolean> HTTP_OPEN = Forms.truth(
            "METRICS_OPEN", false, "Allow a METRICS_ADDRESS beyond loopback; it answers everyone who reaches it.");

    private static final List<VolumeSetting<?>> ALL = List.of(
            MOUNT,
            CACHE_DIRECTORY,
            CLEANUP,
            TARGET,
            CRAWLERS,
            INTERVAL,
            QUEUE_MAX,
            QUEUE_MIN,
            BATCH,
            FLOOR_MINUTES,
            BUCKET_LENGTH,
            FOLDERS,
            FOLDER_TTL,
            EVENTS,
            DRY_RUN,
            LOG_LEVEL,
            LOG_FILE,
            CRITICAL,
            LAYOUT,
            STRICT,
            RECENCY,
            READY_BUFFER,
            DELETERS,
            ORPHAN_TTL,
            PASS_SECONDS,
            RATE,
            MODEL_TTL,
            MODEL_QUOTA,
            MEDIUM,
            INODES,
            ADOPT,
            SHADOW,
            LEASES,
            STATUS_LINES,
            HTTP,
            HTTP_OPEN);

    private VolumeSettings() {}

    /** All settings, in the order of help. */
    static List<VolumeSetting<?>> all() {
        return ALL;
    }
}
