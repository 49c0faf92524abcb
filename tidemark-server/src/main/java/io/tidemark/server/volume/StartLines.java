package io.tidemark.server.volume;

import io.tidemark.core.volume.SweepMode;
import io.tidemark.core.volume.VolumeConfig;
import java.util.Locale;

/** What the log says of the start, word for word as the evictor of old: its processes are roles here, and keep their numbers. */
final class StartLines {
    private final VolumeLog log;
    private final VolumeConfig config;
    private final double intervalSeconds;

    StartLines(VolumeLog log, VolumeConfig config, double intervalSeconds) {
        this.log = log;
        this.config = config;
        this.intervalSeconds = intervalSeconds;
    }

    /** Crawlers, activator, deleter, and the folder cleaner where there is one. */
    private int processes() {
        return config.crawlers() + (config.folderCleaning() ? 3 : 2);
    }

    void starting() {
        log.plain("PVC Evictor starting...");
        log.plain("Configuration loaded: PVC=" + config.mount() + ", Crawlers=" + config.crawlers() + ", DirCleanup="
                + (config.folderCleaning() ? "True" : "False") + ", Total Processes=" + processes());
    }

    void initialized() {
        log.main(
                "INFO",
                "PVC Cleanup Service (N+2-Process Architecture: " + processes() + " total processes) initialized");
        log.main("INFO", "  Mount Path: " + config.mount());
        log.main("INFO", "  Cache Directory: " + config.cacheDirectory());
        int n = config.crawlers();
        log.main("INFO", "  Crawler Processes: " + n + " (P1-P" + n + ")");
        log.main("INFO", "  Activator Process: P" + (n + 1) + " (monitoring every " + intervalSeconds + "s)");
        log.main("INFO", "  Deleter Process: P" + (n + 2) + " (batch size: " + config.batch() + ")");
        if (config.folderCleaning()) {
            log.main("INFO", "  Folder Cleaner Process: P" + (n + 3) + " (background empty-dir removal)");
        }
        log.main("INFO", "  Cleanup Threshold: " + config.thresholds().cleanup() + "%");
        log.main("INFO", "  Target Threshold: " + config.thresholds().target() + "%");
        log.main(
                "INFO",
                "  File Queue: MINQ=" + config.queueMin() + " (pre-fill when OFF), MAXQ=" + config.queueMax()
                        + " (max when ON)");
        if (config.mode() != SweepMode.RUN) {
            log.main("WARNING", "  " + config.mode() + ": nothing will be removed");
        }
        log.plain("PVC Evictor initialized, starting coordination loop...");
        log.main("INFO", "Starting " + processes() + "-process evictor service...");
    }

    /** The crawler with this number, from 0, has started. */
    void crawlerStarted(int crawler) {
        int width = 16 / config.crawlers();
        int from = crawler * width;
        int to = from + width - 1;
        String digits =
                String.format(Locale.ROOT, "(hex %%16 in [%d, %d], hex: '%s'-'%s')", from, to, hex(from), hex(to));
        log.main("INFO", "Started crawler P" + (crawler + 1) + " " + digits);
    }

    /** Another role has started. */
    void started(String role, int process) {
        log.main("INFO", "Started " + role + " P" + process);
    }

    private static String hex(int digit) {
        return Integer.toHexString(digit);
    }
}
