package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.StatvfsBuffer;
import io.tidemark.core.medium.StatxBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The volume and the root of the cache on it. Nothing is held open between uses, so that the volume can be unmounted;
 * every opening checks that it is still the volume and not the bare mount point below it.
 */
public final class VolumeRoot {
    private final DirectoryCalls calls;
    private final boolean countInodes;
    private final Path mount;
    private final MemorySegment mountPath;
    private final MemorySegment cachePath;
    private final MemorySegment self = Arena.ofAuto().allocateFrom(".");
    private final MemorySegment above = Arena.ofAuto().allocateFrom("..");
    private final Path cache;

    /** Device of the folder that is no mount, once the cache has been seen in it. */
    private volatile long plainDevice = UNSEEN;

    /** Whether a file system has been seen that is mounted here. */
    private volatile boolean mounted;

    private static final long UNSEEN = -1;

    /**
     * The root.
     *
     * @param mount where the volume is mounted
     * @param cacheDirectory root of the cache, relative to it
     * @param countInodes whether inodes count towards the usage
     */
    public VolumeRoot(DirectoryCalls calls, Path mount, String cacheDirectory, boolean countInodes) {
        this.calls = calls;
        this.countInodes = countInodes;
        this.mount = mount.toAbsolutePath().normalize();
        this.cache = this.mount.resolve(cacheDirectory).normalize();
        if (!cache.startsWith(this.mount)) {
            throw new IllegalArgumentException(
                    "cache directory " + cacheDirectory + "; expected a directory inside of " + this.mount);
        }
        Arena arena = Arena.ofAuto();
        mountPath = arena.allocateFrom(this.mount.toString());
        String relative = this.mount.relativize(cache).toString();
        cachePath = arena.allocateFrom(relative.isEmpty() ? "." : relative);
    }

    /** Where the volume is mounted. */
    public Path mount() {
        return mount;
    }

    /** Root of the cache. */
    public Path cache() {
        return cache;
    }

    /** Opens the volume: a descriptor, or a negated error; ENOENT also when the path is not the volume any more. */
    int openMount() {
        return open().descriptor;
    }

    /**
     * The volume when it was opened.
     *
     * @param descriptor or a negated error
     * @param failure why it is none, in words; empty when it is one
     */
    private record Opened(int descriptor, String failure) {}

    private Opened open() {
        int opened = calls.openRoot(mountPath);
        if (opened < 0) {
            return new Opened(opened, failure(-opened));
        }
        String objection = objection(opened);
        if (objection.isEmpty()) {
            return new Opened(opened, "");
        }
        calls.close(opened);
        return new Opened(-Errno.ENOENT, objection);
    }

    /** What an error of the mount point means. */
    private String failure(int errno) {
        return errno == Errno.ENOENT
                ? "there is no " + mount + " (PVC_MOUNT_PATH)"
                : "the volume " + mount + " does not answer: " + Errno.name(errno);
    }

    /** Opens the root of the cache: a descriptor, or a negated error. No component below the mount may be a link. */
    int openCache() {
        int volume = openMount();
        if (volume < 0) {
            return volume;
        }
        int opened = calls.openBelow(volume, cachePath, 0);
        if (opened >= 0 && !mounted && plainDevice == UNSEEN) {
            plainDevice = Math.max(UNSEEN, device(volume));
        }
        calls.close(volume);
        return opened;
    }

    /** Why the root of the cache cannot be opened, in words; empty when it can. */
    String absence() {
        int opened = openCache();
        if (opened < 0) {
            return absence(-opened);
        }
        calls.close(opened);
        return "";
    }

    /** What an error of {@link #openCache} means. */
    String absence(int error) {
        String found = switch (error) {
            case Errno.ENOENT -> "is not there";
            case Errno.ENOTDIR -> "is no directory";
            case Errno.ELOOP -> "is a link or lies behind one, and links are not followed";
            default -> "cannot be opened: " + Errno.name(error);
        };
        return cache + " " + found + " (CACHE_DIRECTORY)";
    }

    /** Device of an open directory, or a negated error. */
    long device(int directory) {
        return device(directory, self);
    }

    private long device(int directory, MemorySegment name) {
        MemorySegment facts = StatxBuffer.allocate();
        int result = calls.stat(directory, name, 0, facts);
        return result < 0 ? result : StatxBuffer.device(facts);
    }

    /** Inode of an open directory on its device, or a negated error. */
    long inode(int directory) {
        MemorySegment facts = StatxBuffer.allocate();
        int result = calls.stat(directory, self, 0, facts);
        return result < 0 ? result : StatxBuffer.inode(facts);
    }

    /**
     * Why this is not the volume, in words; empty when it is. What is mounted here is, also when it comes after the start; from then on nothing else
     * is. A plain folder is as long as nothing was ever mounted here: any before the cache has been seen, one on the same
     * device after that. What cannot be told is not the volume.
     */
    private String objection(int directory) {
        long device = device(directory);
        if (device < 0) {
            return failure((int) -device);
        }
        long parent = device(directory, above);
        if (parent < 0) {
            // nobody can say what this is; taken for the volume, the bare folder below it would pass for it later
            return failure((int) -parent);
        }
        if (device != parent) {
            mounted = true;
            return "";
        }
        if (mounted) {
            return "nothing is mounted at " + mount + " any more";
        }
        return plainDevice == UNSEEN || plainDevice == device
                ? ""
                : mount + " lies on another device than the cache that was found in it";
    }

    /** How full the volume is. */
    public Sample sample() {
        Opened volume = open();
        if (volume.descriptor < 0) {
            return new Sample.Unavailable(volume.failure);
        }
        try {
            MemorySegment facts = StatvfsBuffer.allocate();
            int result = calls.space(volume.descriptor, facts);
            return result < 0 ? new Sample.Unavailable(failure(-result)) : new Sample.Measured(usage(facts));
        } finally {
            calls.close(volume.descriptor);
        }
    }

    private Usage usage(MemorySegment facts) {
        long used = StatvfsBuffer.totalBytes(facts) - StatvfsBuffer.freeBytes(facts);
        long inodes = countInodes ? StatvfsBuffer.totalInodes(facts) : 0;
        return new Usage(
                used,
                used + StatvfsBuffer.availableBytes(facts),
                Math.max(0, inodes - StatvfsBuffer.availableInodes(facts)),
                inodes);
    }

    /** Answer of a look at the volume. */
    public sealed interface Sample {
        /** The volume answered. */
        record Measured(Usage usage) implements Sample {}

        /** It did not: not mounted, stale, broken; {@code why} says it in words. */
        record Unavailable(String why) implements Sample {}
    }
}
