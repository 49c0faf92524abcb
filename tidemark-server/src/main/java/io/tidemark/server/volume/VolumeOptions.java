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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The settings in effect, checked one by one and against each other. Every value that cannot be meant stops the start:
 * what it would otherwise lead to is deletion. All of them are named at once; what depends on a bad one is not judged.
 */
public final class VolumeOptions {
    private static final double CRITICAL_DEFAULT = 95;

    private final Map<String, Given> given;

    /** Variables of settings whose values are not of their form; their defaults stand in while the others are judged. */
    private final Set<String> misread = new HashSet<>();

    /**
     * A value and where it stands.
     *
     * @param origin name of the variable or flag, or file and line
     */
    record Given(String text, String origin) {}

    /**
     * The settings that were given.
     *
     * @param problems grows with what cannot be meant; unless it is empty afterwards, nothing may be started
     */
    VolumeOptions(Map<String, Given> given, List<String> problems) {
        this.given = Map.copyOf(given);
        for (VolumeSetting<?> setting : VolumeSettings.all()) {
            check(setting).ifPresent(problems::add);
        }
        checkThresholds(problems);
        if (areRead(VolumeSettings.QUEUE_MIN, VolumeSettings.QUEUE_MAX)
                && get(VolumeSettings.QUEUE_MIN) > get(VolumeSettings.QUEUE_MAX)) {
            problems.add(origin(VolumeSettings.QUEUE_MIN) + "='" + get(VolumeSettings.QUEUE_MIN)
                    + "': expected at most FILE_QUEUE_MAXSIZE, which is " + get(VolumeSettings.QUEUE_MAX));
        }
        Path inside = Path.of("/m").resolve(get(VolumeSettings.CACHE_DIRECTORY)).normalize();
        if (Path.of(get(VolumeSettings.CACHE_DIRECTORY)).isAbsolute() || !inside.startsWith("/m")) {
            problems.add(origin(VolumeSettings.CACHE_DIRECTORY) + "='" + get(VolumeSettings.CACHE_DIRECTORY)
                    + "': expected a path relative to PVC_MOUNT_PATH, inside it");
        }
        if (get(VolumeSettings.MOUNT).isEmpty()) {
            problems.add(origin(VolumeSettings.MOUNT) + "='': expected the folder where the volume is mounted");
        }
        if (get(VolumeSettings.DRY_RUN) && get(VolumeSettings.SHADOW)) {
            problems.add(origin(VolumeSettings.SHADOW) + "='true': expected false, because DRY_RUN is true");
        }
        VolumePlaces.check(this, problems);
    }

    private Optional<String> check(VolumeSetting<?> setting) {
        Given value = given.get(setting.variable());
        if (value == null || (value.text.isEmpty() && setting.defaultText().isEmpty())) {
            return Optional.empty();
        }
        try {
            setting.parse(value.text, value.origin);
            return Optional.empty();
        } catch (VolumeSettingException e) {
            misread.add(setting.variable());
            return Optional.of(e.problem());
        }
    }

    private boolean areRead(VolumeSetting<?>... settings) {
        return Stream.of(settings).map(VolumeSetting::variable).noneMatch(misread::contains);
    }

    private void checkThresholds(List<String> problems) {
        double cleanup = get(VolumeSettings.CLEANUP);
        double target = get(VolumeSettings.TARGET);
        boolean known = areRead(VolumeSettings.CLEANUP);
        if (cleanup <= 0) {
            problems.add(origin(VolumeSettings.CLEANUP) + "='" + cleanup + "': expected a percentage above 0");
        }
        if (areRead(VolumeSettings.TARGET) && !(target > 0 && (!known || target < cleanup))) {
            problems.add(origin(VolumeSettings.TARGET) + "='" + target
                    + "': expected a percentage above 0 and below CLEANUP_THRESHOLD"
                    + (known ? ", which is " + cleanup : ""));
        }
        if (known && critical() < cleanup) {
            problems.add(origin(VolumeSettings.CRITICAL) + "='" + critical()
                    + "': expected at least CLEANUP_THRESHOLD, which is " + cleanup);
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
        return value == null || misread.contains(setting.variable())
                ? setting.parse(setting.defaultText(), setting.variable())
                : setting.parse(value.text, value.origin);
    }

    /** Whether somebody has given the setting a value. */
    boolean isGiven(VolumeSetting<?> setting) {
        return given.containsKey(setting.variable());
    }

    private double critical() {
        Given value = given.get(VolumeSettings.CRITICAL.variable());
        return value == null || value.text.isEmpty() || misread.contains(VolumeSettings.CRITICAL.variable())
                ? Math.max(CRITICAL_DEFAULT, get(VolumeSettings.CLEANUP))
                : VolumeSettings.CRITICAL.parse(value.text, value.origin);
    }

    private Thresholds thresholds() {
        return new Thresholds(
                get(VolumeSettings.CLEANUP),
                get(VolumeSettings.TARGET),
                critical(),
                Math.round(get(VolumeSettings.FLOOR_MINUTES) * 60));
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
