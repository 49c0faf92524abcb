package io.tidemark.server.volume;

import io.tidemark.core.volume.SweepMode;
import io.tidemark.core.volume.VolumeConfig;
import java.util.Locale;

/** What the log says of the start, word for word as the evictor of old: its processes are roles here, and keep their numbers. */
final class StartLines {
    private final VolumeLog log;
    private final VolumeConfig config;
    private final double intervalSeconds;
    private final String layout;

    /** @param layout by its name; the evictor of old knew one, and named it */
    StartLines(VolumeLog log, VolumeConfig config, double intervalSeconds, String layout) {
        this.log = log;
        this.config = config;
        this.intervalSeconds = intervalSeconds;
        this.layout = layout;
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
        int process = crawler + 1;
        int width = 16 / config.crawlers();
        int from = crawler * width;
        int to = from + width - 1;
        String range = String.format(Locale.ROOT, "hex %%16 in [%d, %d]", from, to);
        String digits = "hex: '" + hex(from) + "'-'" + hex(to) + "'";
        log.main("INFO", "Started crawler P" + process + " (" + range + ", " + digits + ")");
        String name = "Crawler P" + process;
        String logger = "crawler_" + process;
        log.line(process, logger, "INFO", name + " started - " + range + " (" + digits + ")");
        log.line(
                process,
                logger,
                "INFO",
                name + " queue limits: MINQ=" + config.queueMin() + " (when OFF), MAXQ=" + config.queueMax()
                        + " (when ON)");
        log.line(process, logger, "INFO", name + " hex_modulo_range: " + from + "-" + to + " (hex mod 16)");
        if (layout.equals("fs")) {
            log.line(process, logger, "INFO", name + " using FileMapper cache structure");
        }
    }

    void activatorStarted() {
        int process = config.crawlers() + 1;
        started("activator", process);
        String name = "Activator P" + process;
        log.line(process, "activator", "INFO", name + " started - monitoring every " + intervalSeconds + "s");
        log.line(
                process,
                "activator",
                "INFO",
                name + " thresholds: cleanup=" + config.thresholds().cleanup() + "%, target="
                        + config.thresholds().target() + "%");
    }

    /** All threads of the one deleter have. */
    void deleterStarted() {
        int process = config.crawlers() + 2;
        started("deleter", process);
        String dryRun = config.mode() == SweepMode.RUN ? "False" : "True";
        log.line(
                process,
                "deleter",
                "INFO",
                "Deleter P" + process + " started - batch size: " + config.batch() + ", dry_run: " + dryRun);
    }

    void folderCleanerStarted() {
        int process = config.crawlers() + 3;
        started("folder cleaner", process);
        log.line(
                process,
                "folder_cleaner_" + process,
                "INFO",
                "Folder Cleaner background process P" + process + " started");
    }

    private void started(String role, int process) {
        log.main("INFO", "Started " + role + " P" + process);
    }

    private static String hex(int digit) {
        return Integer.toHexString(digit);
    }
}
