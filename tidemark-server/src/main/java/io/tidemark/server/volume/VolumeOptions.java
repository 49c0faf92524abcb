package io.tidemark.server.volume;

import io.tidemark.core.volume.FsLayout;
import io.tidemark.core.volume.Layout;
import io.tidemark.core.volume.LooseFsLayout;
import io.tidemark.core.volume.RecencyRule;
import io.tidemark.core.volume.SglangLayout;
import io.tidemark.core.volume.ShfsLayout;
import io.tidemark.core.volume.SweepMode;
import io.tidemark.core.volume.Thresholds;
import io.tidemark.core.volume.VolumeConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The settings in effect, checked one by one and against each other. Every value that cannot be meant stops the start:
 * what it would otherwise lead to is deletion.
 */
public final class VolumeOptions {
    private static final double CRITICAL_DEFAULT = 95;
    private static final List<Integer> CRAWLER_COUNTS = List.of(1, 2, 4, 8, 16);

    private final Map<String, Given> given;

    /**
     * A value and where it stands.
     *
     * @param origin name of the variable or flag, or file and line
     */
    record Given(String text, String origin) {}

    VolumeOptions(Map<String, Given> given) {
        this.given = Map.copyOf(given);
        VolumeSettings.all().forEach(this::check);
        if (!CRAWLER_COUNTS.contains(get(VolumeSettings.CRAWLERS))) {
            throw new VolumeSettingException(
                    "NUM_CRAWLER_PROCESSES must be a power of 2 from 1 to 16, got " + get(VolumeSettings.CRAWLERS));
        }
        thresholds();
        if (get(VolumeSettings.QUEUE_MIN) > get(VolumeSettings.QUEUE_MAX)) {
            throw new VolumeSettingException(origin(VolumeSettings.QUEUE_MIN) + "='" + get(VolumeSettings.QUEUE_MIN)
                    + "': expected at most FILE_QUEUE_MAXSIZE, which is " + get(VolumeSettings.QUEUE_MAX));
        }
        Path inside = Path.of("/m").resolve(get(VolumeSettings.CACHE_DIRECTORY)).normalize();
        if (Path.of(get(VolumeSettings.CACHE_DIRECTORY)).isAbsolute() || !inside.startsWith("/m")) {
            throw new VolumeSettingException(origin(VolumeSettings.CACHE_DIRECTORY) + "='"
                    + get(VolumeSettings.CACHE_DIRECTORY) + "': expected a path relative to PVC_MOUNT_PATH, inside it");
        }
        if (get(VolumeSettings.MOUNT).isEmpty()) {
            throw new VolumeSettingException(
                    origin(VolumeSettings.MOUNT) + "='': expected the folder where the volume is mounted");
        }
        if (get(VolumeSettings.DRY_RUN) && get(VolumeSettings.SHADOW)) {
            throw new VolumeSettingException(
                    origin(VolumeSettings.SHADOW) + "='true': expected false, because DRY_RUN is true");
        }
    }

    private void check(VolumeSetting<?> setting) {
        Given value = given.get(setting.variable());
        if (value != null && !(value.text.isEmpty() && setting.defaultText().isEmpty())) {
            setting.parse(value.text, value.origin);
        }
    }

    /** Where the value of a setting stands, for messages: variable, flag, or file and line. */
    <T> String origin(VolumeSetting<T> setting) {
        Given value = given.get(setting.variable());
        return value == null ? setting.variable() : value.origin;
    }

    /** The value of a setting that has a default. */
    <T> T get(VolumeSetting<T> setting) {
        Given value = given.get(setting.variable());
        return value == null
                ? setting.parse(setting.defaultText(), setting.variable())
                : setting.parse(value.text, value.origin);
    }

    /** Whether somebody has given the setting a value. */
    boolean isGiven(VolumeSetting<?> setting) {
        return given.containsKey(setting.variable());
    }

    private Optional<Double> critical() {
        Given value = given.get(VolumeSettings.CRITICAL.variable());
        return value == null || value.text.isEmpty()
                ? Optional.empty()
                : Optional.of(VolumeSettings.CRITICAL.parse(value.text, value.origin));
    }

    Thresholds thresholds() {
        double cleanup = get(VolumeSettings.CLEANUP);
        double target = get(VolumeSettings.TARGET);
        if (cleanup <= 0) {
            throw new VolumeSettingException(
                    origin(VolumeSettings.CLEANUP) + "='" + cleanup + "': expected a percentage above 0");
        }
        if (!(target > 0 && target < cleanup)) {
            throw new VolumeSettingException(origin(VolumeSettings.TARGET) + "='" + target
                    + "': expected a percentage above 0 and below CLEANUP_THRESHOLD, which is " + cleanup);
        }
        double critical = critical().orElse(Math.max(CRITICAL_DEFAULT, cleanup));
        if (critical < cleanup) {
            throw new VolumeSettingException(origin(VolumeSettings.CRITICAL) + "='" + critical
                    + "': expected at least CLEANUP_THRESHOLD, which is " + cleanup);
        }
        return new Thresholds(cleanup, target, critical, Math.round(get(VolumeSettings.FLOOR_MINUTES) * 60));
    }

    SweepMode mode() {
        if (get(VolumeSettings.DRY_RUN)) {
            return SweepMode.DRY_RUN;
        }
        return get(VolumeSettings.SHADOW) ? SweepMode.SHADOW : SweepMode.RUN;
    }

    Layout layout() {
        int bucket = get(VolumeSettings.BUCKET_LENGTH);
        return switch (get(VolumeSettings.LAYOUT)) {
            case "sglang" -> new SglangLayout();
            case "shfs" -> new ShfsLayout();
            default -> get(VolumeSettings.STRICT) ? new FsLayout(bucket) : new LooseFsLayout(bucket);
        };
    }

    /** What the sweeper is to do. */
    VolumeConfig config() {
        return new VolumeConfig(
                Path.of(get(VolumeSettings.MOUNT)),
                get(VolumeSettings.CACHE_DIRECTORY),
                layout(),
                RecencyRule.valueOf(get(VolumeSettings.RECENCY).toUpperCase(Locale.ROOT)),
                thresholds(),
                get(VolumeSettings.CRAWLERS),
                get(VolumeSettings.DELETERS),
                get(VolumeSettings.BATCH),
                get(VolumeSettings.QUEUE_MIN),
                get(VolumeSettings.QUEUE_MAX),
                get(VolumeSettings.READY_BUFFER),
                get(VolumeSettings.FOLDERS),
                Math.round(get(VolumeSettings.FOLDER_TTL)),
                Math.round(get(VolumeSettings.ORPHAN_TTL)),
                Math.round(get(VolumeSettings.INTERVAL) * 1000),
                Math.round(get(VolumeSettings.PASS_SECONDS)),
                get(VolumeSettings.RATE),
                get(VolumeSettings.MODEL_TTL),
                get(VolumeSettings.MODEL_QUOTA),
                get(VolumeSettings.INODES),
                get(VolumeSettings.ADOPT),
                get(VolumeSettings.LEASES),
                mode());
    }
}
