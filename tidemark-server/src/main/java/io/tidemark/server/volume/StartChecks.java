package io.tidemark.server.volume;

import io.tidemark.core.volume.RootGuard;
import io.tidemark.core.volume.VolumeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What has to hold before the first walk: the volume is mounted, and is no place that must not be swept. */
final class StartChecks {
    private static final long MOUNT_WAIT_SECONDS = 60;
    private static final long MOUNT_POLL_SECONDS = 2;

    private final VolumeOptions options;
    private final VolumeConfig config;
    private final VolumeLog log;

    StartChecks(VolumeOptions options, VolumeLog log) {
        this.options = options;
        this.config = options.config();
        this.log = log;
    }

    /** Waits until the volume is mounted, a minute at most or until {@code stopped}; whether it is. */
    boolean awaitMount(CountDownLatch stopped) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOUNT_WAIT_SECONDS);
        if (!Files.isDirectory(config.mount())) {
            log.main(
                    "WARNING",
                    "waiting up to " + MOUNT_WAIT_SECONDS + " s for " + options.origin(VolumeSettings.MOUNT) + "='"
                            + config.mount() + "', which is not there");
        }
        while (!Files.isDirectory(config.mount())) {
            if (System.nanoTime() - end >= 0) {
                log.main(
                        "ERROR",
                        "PVC mount path does not exist after " + MOUNT_WAIT_SECONDS + "s: " + config.mount()
                                + "; expected " + options.origin(VolumeSettings.MOUNT)
                                + " to name the folder where the volume is mounted");
                return false;
            }
            if (stopped.await(MOUNT_POLL_SECONDS, TimeUnit.SECONDS)) {
                return false;
            }
        }
        log.main("INFO", "PVC mount path is ready: " + config.mount());
        return true;
    }

    /** Why this place must not be swept; empty when it may be, as far as can be told without walking it. */
    Optional<String> refusal() {
        Optional<String> whole = VolumePlaces.wholeMachine(options);
        if (whole.isPresent()) {
            return whole;
        }
        for (Path folder : List.of(config.mount(), config.mount().resolve(config.cacheDirectory()))) {
            try {
                Optional<Path> weights = RootGuard.weightsIn(folder);
                if (weights.isPresent()) {
                    return Optional.of(weights.get() + " is a model's weights: " + folder
                            + " is no cache, and nothing in it will be removed");
                }
            } catch (IOException e) {
                return Optional.of("cannot list " + folder + ": " + e);
            }
        }
        return Optional.empty();
    }
}
