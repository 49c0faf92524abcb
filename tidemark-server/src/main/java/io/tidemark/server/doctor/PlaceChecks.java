package io.tidemark.server.doctor;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import io.tidemark.server.SsdFolder;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.StoragePlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Looks at the state directory and at the directories for blocks. */
final class PlaceChecks {
    private static final long SLOW_SYNC_MILLIS = 50;

    /** What lock, socket and endpoint file take, generously. */
    private static final long STATE_BYTES = 64 << 10;

    /** Opens a directory to ask about it only, which needs no permission to read it. */
    private static final int O_PATH = 0x200000;

    /** File systems that show what the kernel knows. */
    private static final Set<String> KEEP_NO_FILES = Set.of(
            "autofs",
            "binfmt_misc",
            "bpf",
            "cgroup",
            "cgroup2",
            "configfs",
            "debugfs",
            "devpts",
            "efivarfs",
            "fusectl",
            "mqueue",
            "proc",
            "pstore",
            "securityfs",
            "selinuxfs",
            "sysfs",
            "tracefs");

    /** Less than this is no tier. */
    private static final long USEFUL_BYTES = 64L << 20;

    private final TidemarkConfig config;
    private final Sys sys;
    private final Map<Long, Path> devices = new HashMap<>();

    PlaceChecks(TidemarkConfig config) {
        this(config, NativeSys.INSTANCE);
    }

    PlaceChecks(TidemarkConfig config, Sys sys) {
        this.config = config;
        this.sys = sys;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        findings.add(stateDir(config.stateDir()));
        config.tiers().ssd().forEach(ssd -> findings.addAll(directory(ssd)));
        config.record().ifPresent(record -> findings.add(recording(record.file())));
        return findings;
    }

    private Finding stateDir(Path directory) {
        String check = "state-dir";
        Path there = existing(directory);
        String type = StoragePlace.of(there).map(StoragePlace::type).orElse("an unknown file system");
        if (!Files.isDirectory(there) || !Files.isWritable(there)) {
            return Finding.fail(
                    check,
                    there + (Files.isDirectory(there) ? " cannot be written" : " is no directory"),
                    "give another --state-dir, or mount it writable and owned by this user");
        }
        Sys.VolumeFacts room;
        try {
            room = room(there);
        } catch (SysException e) {
            return Finding.fail(
                    check,
                    there + ": its room cannot be asked for (" + words(e) + ")",
                    "see that the file system works, or give another --state-dir");
        }
        Optional<Finding> noSpace = noSpace(there, type, room.totalBytes(), room.availableBytes());
        if (noSpace.isPresent()) {
            return noSpace.get();
        }
        String place = type + sizeNote(room.totalBytes());
        if (!there.equals(directory)) {
            return Finding.ok(check, directory + " is not there yet; it will be made with mode 0700 (" + place + ")");
        }
        try {
            String rights =
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS));
            String found = directory + ", " + rights + ", " + place;
            return rights.endsWith("------")
                    ? Finding.ok(check, found)
                    : Finding.warn(check, found, "others may enter it; chmod 0700 " + directory);
        } catch (IOException | UnsupportedOperationException e) {
            return Finding.warn(
                    check, directory + ": its rights cannot be read (" + e + ")", "expected a Linux file system");
        }
    }

    /** Asked of the kernel: {@link java.io.File} answers 0 for what failed as for a file system that tells nothing. */
    private Sys.VolumeFacts room(Path directory) throws SysException {
        int fd = sys.openat(Sys.AT_FDCWD, directory.toString(), O_PATH | Sys.O_DIRECTORY | Sys.O_CLOEXEC, 0);
        try {
            return sys.fstatvfs(fd);
        } finally {
            sys.close(fd);
        }
    }

    /** Some file systems that keep files, of FUSE and 9p, tell no sizes: a total of 0 is nothing that is wrong. */
    static Optional<Finding> noSpace(Path there, String type, long totalBytes, long usableBytes) {
        String check = "state-dir";
        if (KEEP_NO_FILES.contains(type)) {
            return Optional.of(Finding.fail(
                    check, there + " is on " + type + ", which keeps no files", "give another --state-dir"));
        }
        return totalBytes > 0 && usableBytes < STATE_BYTES
                ? Optional.of(Finding.fail(
                        check, there + " is on a full file system", "free space, or give another --state-dir"))
                : Optional.empty();
    }

    static String sizeNote(long totalBytes) {
        return totalBytes == 0 ? ", which does not say how much room it has" : "";
    }

    private static Finding recording(Path file) {
        String check = "record";
        Path folder = Optional.ofNullable(file.getParent()).orElse(file);
        if (!Files.isDirectory(folder)) {
            return Finding.fail(check, "no directory " + folder, "make it, or give another --record");
        }
        if (Files.isDirectory(file) || !Files.isWritable(folder)) {
            return Finding.fail(
                    check,
                    Files.isDirectory(file) ? file + " is a directory" : folder + " cannot be written",
                    "give another --record");
        }
        return Finding.ok(check, file.toString());
    }

    private static Path existing(Path path) {
        Path at = path;
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    private List<Finding> directory(TierPlan.Ssd ssd) {
        String check = "ssd " + ssd.name();
        SsdFolder folder = new SsdFolder(ssd, config.stateDir());
        Optional<String> trouble = folder.trouble();
        if (trouble.isPresent()) {
            return List.of(Finding.fail(
                    check, ssd.directory() + ": " + trouble.get(), "mount the device, or give another directory"));
        }
        Path there = existing(ssd.directory());
        if (!Files.isDirectory(there)) {
            return List.of(Finding.fail(check, there + " is no directory", "give another directory"));
        }
        try {
            DeviceProbe probe = DeviceProbe.of(there);
            List<Finding> findings = new ArrayList<>();
            folder.notice()
                    .ifPresent(text -> findings.add(Finding.warn(
                            check,
                            ssd.directory() + " " + text,
                            "the start makes it; see that the device is mounted")));
            findings.add(place(check, ssd.directory()));
            findings.add(room(check, ssd, probe));
            findings.add(device(check, probe));
            Path other = devices.putIfAbsent(probe.device(), ssd.directory());
            if (other != null) {
                findings.add(Finding.warn(
                        check,
                        "on the same device as " + other,
                        "two directories on one device are no faster than one; give each its own"));
            }
            return findings;
        } catch (SysException e) {
            return List.of(Finding.fail(
                    check, there + ": " + words(e), "the directory has to be writable for this user and to have room"));
        }
    }

    /** What the kernel means; its own word where nobody has to look it up. */
    private static String words(SysException e) {
        return switch (e.errno()) {
            case Errno.EROFS -> "the file system is mounted read-only";
            case Errno.EACCES, Errno.EPERM -> "permission denied";
            case Errno.ENOSPC -> "no space left";
            case Errno.EDQUOT -> "the quota is used up";
            default -> String.valueOf(e.getMessage());
        };
    }

    private static Finding place(String check, Path directory) {
        Optional<StoragePlace> place = StoragePlace.of(directory);
        String found = directory + " on " + place.map(StoragePlace::type).orElse("an unknown file system");
        return place.flatMap(StoragePlace::concern)
                .map(concern -> Finding.warn(check, directory + " " + concern, "give a directory on a local disk"))
                .orElseGet(() -> Finding.ok(check, found));
    }

    private static Finding room(String check, TierPlan.Ssd ssd, DeviceProbe probe) {
        long usable = probe.availableBytes() + occupied(ssd.directory());
        String found = ByteSize.rounded(usable) + " for " + ByteSize.rounded(ssd.capacityBytes());
        if (usable >= ssd.capacityBytes()) {
            return Finding.ok(check, found);
        }
        String advice = "free space or lower the capacity: what does not fit stays out of use";
        return usable < USEFUL_BYTES ? Finding.fail(check, found, advice) : Finding.warn(check, found, advice);
    }

    /** What the files of a tier in a directory take already. */
    private static long occupied(Path directory) {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException _) {
            return 0;
        }
    }

    private static Finding device(String check, DeviceProbe probe) {
        String found = "direct I/O %s, fallocate %s, a page is on the device after %d ms"
                .formatted(
                        probe.direct() ? "works" : "does not work",
                        probe.allocates() ? "works" : "does not work",
                        probe.syncMillis());
        if (!probe.direct()) {
            return Finding.warn(
                    check, found, "reads and writes go through the page cache, which takes memory; use ext4 or xfs");
        }
        if (!probe.allocates()) {
            return Finding.warn(check, found, "the slab is written out at the start instead; use ext4 or xfs");
        }
        return probe.syncMillis() > SLOW_SYNC_MILLIS
                ? Finding.warn(check, found, "slow or busy: deletes wait for the device; see what else uses it")
                : Finding.ok(check, found);
    }
}
