package io.tidemark.server.volume;

import io.tidemark.core.volume.RootGuard;
import io.tidemark.core.volume.VolumeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What has to hold before the first walk: the volume is mounted, and is no place that must not be swept. Asked on a thread of
 * its own: a volume that hangs keeps nobody from saying so.
 */
final class StartChecks {
    private static final long MOUNT_WAIT_SECONDS = 60;
    private static final long MOUNT_POLL_SECONDS = 2;

    /** How often the result is asked for; a request to stop is heard as often. */
    private static final long POLL_MILLIS = 100;

    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final VolumeOptions options;
    private final VolumeConfig config;
    private final VolumeLog log;
    private final Runnable late;

    /** When the volume last answered. */
    private volatile long answeredNanos = System.nanoTime();

    /** @param late run again and again by the waiting thread when the checks take longer than they usually do */
    StartChecks(VolumeOptions options, VolumeLog log, Runnable late) {
        this.options = options;
        this.config = options.config();
        this.log = log;
        this.late = late;
    }

    /** Waits until all has been checked, or until {@code stopped}; whether the sweeper may start. If not the log says why. */
    boolean pass(CountDownLatch stopped) throws InterruptedException {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("volume-checks").start(() -> {
            try {
                result.complete(check(stopped));
            } catch (RuntimeException | Error e) {
                log.main("ERROR", "the volume cannot be checked: " + e);
                result.complete(false);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                result.complete(false);
            }
        });
        long began = System.nanoTime();
        long nextWord = began;
        while (stopped.getCount() > 0) {
            try {
                return result.get(POLL_MILLIS, TimeUnit.MILLISECONDS) && stopped.getCount() > 0;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            } catch (TimeoutException _) {
                long now = System.nanoTime();
                if (now - began >= LATE_NANOS) {
                    late.run();
                }
                if (now - answeredNanos >= LATE_NANOS && now - nextWord >= 0) {
                    nextWord = now + TELL_AGAIN_NANOS;
                    tellLate(now);
                }
            }
        }
        return false;
    }

    private void tellLate(long now) {
        log.main(
                "WARNING",
                "the volume has not answered for " + TimeUnit.NANOSECONDS.toSeconds(now - answeredNanos) + " s ("
                        + options.origin(VolumeSettings.MOUNT) + "='" + config.mount()
                        + "'): its server may be gone; nothing is walked or removed before it answers");
    }

    private boolean check(CountDownLatch stopped) throws InterruptedException {
        Optional<String> refusal = VolumePlaces.mount(options);
        answered();
        if (refusal.isEmpty()) {
            if (!awaitMount(stopped)) {
                return false;
            }
            refusal = refusal();
        }
        refusal.ifPresent(text -> log.main("ERROR", text));
        return refusal.isEmpty();
    }

    private void answered() {
        answeredNanos = System.nanoTime();
    }

    private boolean isMountThere() {
        boolean there = Files.isDirectory(config.mount());
        answered();
        return there;
    }

    /** Waits until the volume is mounted, a minute at most or until {@code stopped}; whether it is. */
    private boolean awaitMount(CountDownLatch stopped) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOUNT_WAIT_SECONDS);
        if (!isMountThere()) {
            log.main(
                    "WARNING",
                    "waiting up to " + MOUNT_WAIT_SECONDS + " s for " + options.origin(VolumeSettings.MOUNT) + "='"
                            + config.mount() + "', which is not there");
        }
        while (!isMountThere()) {
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
    private Optional<String> refusal() {
        Optional<String> whole = VolumePlaces.wholeMachine(options);
        if (whole.isPresent()) {
            return whole;
        }
        for (Path folder : List.of(config.mount(), config.mount().resolve(config.cacheDirectory()))) {
            try {
                Optional<Path> weights = RootGuard.weightsIn(folder);
                answered();
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
