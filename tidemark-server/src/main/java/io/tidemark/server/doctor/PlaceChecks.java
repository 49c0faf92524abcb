package io.tidemark.server.doctor;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.machine.StoragePlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Looks at the state directory, the directories for blocks and the place of a recording. */
final class PlaceChecks {
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

    private final TidemarkConfig config;
    private final Sys sys;
    private final OptionalLong running;

    /** @param running the server of this state directory */
    PlaceChecks(TidemarkConfig config, OptionalLong running) {
        this(config, NativeSys.INSTANCE, running);
    }

    PlaceChecks(TidemarkConfig config, Sys sys, OptionalLong running) {
        this.config = config;
        this.sys = sys;
        this.running = running;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        findings.add(stateDir(config.stateDir()));
        findings.addAll(new SsdChecks(config, sys, running).all());
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

    /** The path, or what is there of it. */
    static Path existing(Path path) {
        Path at = path;
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    /** What the kernel means; its own word where nobody has to look it up. */
    static String words(SysException e) {
        return switch (e.errno()) {
            case Errno.EROFS -> "the file system is mounted read-only";
            case Errno.EACCES, Errno.EPERM -> "permission denied";
            case Errno.ENOSPC -> "no space left";
            case Errno.EDQUOT -> "the quota is used up";
            default -> String.valueOf(e.getMessage());
        };
    }
}
