package io.tidemark.server.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/**
 * Where {@code tidemark volume} looks for its cache with the flags and variables here: the only root whose mark it reads.
 *
 * @param mount as its setting has it
 * @param directory below the mount
 */
public record CachePlace(Path mount, String directory) {
    /** What leads to the cache; no other setting is looked at. */
    private static final List<VolumeSetting<?>> SETTINGS =
            List.of(VolumeSettings.MOUNT, VolumeSettings.CACHE_DIRECTORY);

    /**
     * The place by the flags of {@code volume} and the environment; empty where neither says anything of it: the defaults are
     * no word of anybody's, and a shell beside a pod does not have the pod's variables.
     *
     * @throws VolumeSettingException when a value cannot be meant
     */
    public static Optional<CachePlace> of(ParseResult volume, Map<String, String> environment) {
        VolumeOptions options = VolumeFlags.options(SETTINGS, volume, environment);
        return SETTINGS.stream().anyMatch(options::isGiven)
                ? Optional.of(new CachePlace(
                        Path.of(options.get(VolumeSettings.MOUNT)), options.get(VolumeSettings.CACHE_DIRECTORY)))
                : Optional.empty();
    }

    /** Why this folder is probably a mount and not the cache in it; empty: nothing says so. */
    public Optional<String> mistakenFor(Path folder) {
        Path root = real(mount.resolve(directory));
        if (!root.equals(folder) && root.startsWith(folder)) {
            return Optional.of(folder + " lies above the cache, and a mark there is not read: CACHE_DIRECTORY='"
                    + directory + "' below PVC_MOUNT_PATH='" + mount + "' is " + root);
        }
        Path below = real(folder.resolve(directory));
        return root.equals(folder) || below.equals(folder) || !Files.isDirectory(below)
                ? Optional.empty()
                : Optional.of(folder + " looks like a mount, and a mark there is not read: CACHE_DIRECTORY='"
                        + directory + "' below it is " + below);
    }

    /** What is to be known where the mark of this folder is not the one that is read; empty: it is. */
    public Optional<String> elsewhere(Path folder) {
        Path root = real(mount.resolve(directory));
        return root.equals(folder)
                ? Optional.empty()
                : Optional.of(readAt(folder) + "; with those of here they lead to " + root);
    }

    /** What is to be known where nothing here says where the cache is. */
    public static String unknown(Path folder) {
        return readAt(folder) + "; neither is given here";
    }

    private static String readAt(Path folder) {
        return "read where PVC_MOUNT_PATH and CACHE_DIRECTORY lead to " + folder;
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException _) {
            return path.toAbsolutePath().normalize();
        }
    }
}
