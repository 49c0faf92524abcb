package io.tidemark.server.volume;

import io.tidemark.core.volume.RootGuard;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Checks places that settings name against the machine, before anything starts: what is mistyped is not worked around.
 * What may be there later (the mount), or is refused for the moment (a port in use, a log file without permission), is
 * left to those who use it; so is a mount that hangs.
 */
final class VolumePlaces {
    /** How long the machine has to say what is at these places. */
    private static final long ANSWER_SECONDS = 2;

    private VolumePlaces() {}

    /**
     * Checks all of them.
     *
     * @param problems grows with setting, value and what is expected
     */
    static void check(VolumeOptions options, List<String> problems) {
        problems.addAll(onDisk(options));
        String address = options.get(VolumeSettings.HTTP);
        if (!address.isEmpty()) {
            try {
                host(address, options.get(VolumeSettings.HTTP_OPEN), options.origin(VolumeSettings.HTTP));
            } catch (VolumeSettingException e) {
                problems.add(e.problem());
            }
        }
    }

    /** What is wrong with files and folders; nothing if that cannot be told in time, because the volume hangs. */
    private static List<String> onDisk(VolumeOptions options) {
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("volume-places").start(() -> {
            try {
                found.complete(Stream.of(mount(options), logFile(options))
                        .flatMap(Optional::stream)
                        .toList());
            } catch (RuntimeException | Error e) {
                found.completeExceptionally(e);
            }
        });
        return found.completeOnTimeout(List.of(), ANSWER_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** What is wrong with the mount, as far as it is there. */
    static Optional<String> mount(VolumeOptions options) {
        Path mount = Path.of(options.get(VolumeSettings.MOUNT));
        if (Files.exists(mount) && !Files.isDirectory(mount)) {
            return refused(options, VolumeSettings.MOUNT, "a folder where the volume is mounted; this is none");
        }
        return wholeMachine(options);
    }

    /**
     * Why the root of the cache cannot be what it is: the root of the file system, by whatever way it is named. Nothing
     * overrides that.
     */
    static Optional<String> wholeMachine(VolumeOptions options) {
        Path root = Path.of(options.get(VolumeSettings.MOUNT))
                .resolve(options.get(VolumeSettings.CACHE_DIRECTORY))
                .toAbsolutePath()
                .normalize();
        return RootGuard.isWholeMachine(root)
                ? refused(
                        options,
                        VolumeSettings.MOUNT,
                        "with CACHE_DIRECTORY='" + options.get(VolumeSettings.CACHE_DIRECTORY)
                                + "' a folder of the cache's own; " + root + " is the root of the file system")
                : Optional.empty();
    }

    private static Optional<String> logFile(VolumeOptions options) {
        String name = options.get(VolumeSettings.LOG_FILE);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Path file = Path.of(name).toAbsolutePath();
        if (Files.isDirectory(file)) {
            return refused(options, VolumeSettings.LOG_FILE, "a file; this is a folder");
        }
        Path folder = file.getParent();
        return folder != null && !Files.isDirectory(folder)
                ? refused(options, VolumeSettings.LOG_FILE, "a file in a folder that exists; there is no " + folder)
                : Optional.empty();
    }

    private static Optional<String> refused(VolumeOptions options, VolumeSetting<String> setting, String expected) {
        return Optional.of(options.origin(setting) + "='" + options.get(setting) + "': expected " + expected);
    }

    /**
     * The host of an address.
     *
     * @param address {@code HOST:PORT}
     * @param open whether an address beyond loopback is meant
     * @param origin where the address stands, for the message
     * @throws VolumeSettingException when there is no such host, or it is open to others without being meant
     */
    static InetAddress host(String address, boolean open, String origin) {
        String name = address.substring(0, address.lastIndexOf(':')).replaceAll("^\\[|]$", "");
        InetAddress host;
        try {
            host = InetAddress.getAllByName(name)[0];
        } catch (UnknownHostException _) {
            throw new VolumeSettingException(
                    origin + "='" + address + "': expected HOST:PORT with a host that is known here");
        }
        if (!host.isLoopbackAddress() && !open) {
            throw new VolumeSettingException(origin + "='" + address
                    + "': expected a loopback address, or METRICS_OPEN=true to answer everyone who reaches it");
        }
        return host;
    }
}
