package io.tidemark.server.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where a directory lies, as the kernel tells it.
 *
 * @param type of the file system, for example {@code ext4}
 * @param mountPoint where it is mounted
 * @param root which part of the file system is mounted there
 */
public record StoragePlace(String type, Path mountPoint, String root) {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
    private static final Set<String> LAYERED = Set.of("overlay", "aufs", "fuse-overlayfs");
    private static final Set<String> NETWORK = Set.of("nfs", "nfs4", "cifs", "smb3", "ceph", "lustre", "9p");
    private static final String EMPTY_DIR = "kubernetes.io~empty-dir";

    /** Fields of a line of mountinfo: root and mount point are the fourth and fifth. */
    private static final int ROOT = 3;

    private static final int MOUNT_POINT = 4;

    /** The place of a directory that need not be there yet; empty where the kernel does not tell. */
    public static Optional<StoragePlace> of(Path directory) {
        try {
            return of(existing(directory.toAbsolutePath()).toRealPath(), Files.readAllLines(MOUNTS));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static Path existing(Path directory) {
        Path at = directory;
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    /** The mount that is nearest above a path; of several at one point the last, which hides the others. */
    static Optional<StoragePlace> of(Path path, List<String> mountinfo) {
        Optional<StoragePlace> nearest = Optional.empty();
        for (String line : mountinfo) {
            Optional<StoragePlace> place = parse(line).filter(found -> path.startsWith(found.mountPoint()));
            int depth = nearest.map(found -> found.mountPoint().getNameCount()).orElse(-1);
            if (place.isPresent() && place.get().mountPoint().getNameCount() >= depth) {
                nearest = place;
            }
        }
        return nearest;
    }

    private static Optional<StoragePlace> parse(String line) {
        String[] halves = line.split(" - ", 2);
        String[] fields = halves[0].split(" ", -1);
        if (halves.length < 2 || fields.length <= MOUNT_POINT) {
            return Optional.empty();
        }
        String type = halves[1].split(" ", 2)[0];
        try {
            return Optional.of(new StoragePlace(type, Path.of(plain(fields[MOUNT_POINT])), plain(fields[ROOT])));
        } catch (InvalidPathException _) {
            return Optional.empty(); // a name beyond this locale: no path of this process leads below it
        }
    }

    /** Blanks are written as octal numbers there. */
    private static String plain(String field) {
        return field.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
    }

    /** What speaks against keeping blocks here, for people; empty: nothing. */
    public Optional<String> concern() {
        if (IN_MEMORY.contains(type)) {
            return Optional.of("is a " + type + ": it takes memory, not disk, and does not survive the machine");
        }
        if (LAYERED.contains(type)) {
            return Optional.of("is on " + type + ", the writable layer of a container: it is slow and goes with the"
                    + " container; mount a volume");
        }
        if (NETWORK.contains(type)) {
            return Optional.of("is on " + type + ", a network file system; expected a local disk");
        }
        if (root.contains(EMPTY_DIR)) {
            return Optional.of("is an emptyDir of Kubernetes: it goes with the pod, and the node's other pods share its"
                    + " disk; a hostPath or a local volume survives");
        }
        return Optional.empty();
    }
}
