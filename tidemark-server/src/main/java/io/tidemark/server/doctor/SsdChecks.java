package io.tidemark.server.doctor;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.SsdProspect;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import io.tidemark.server.SsdFolder;
import io.tidemark.server.SsdProspects;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.FileRights;
import io.tidemark.server.machine.FileTrouble;
import io.tidemark.server.machine.StoragePlace;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Looks at the directories for blocks: what a start will make of them, and what their devices can do. */
final class SsdChecks {
    private static final long SLOW_SYNC_MILLIS = 50;

    /** Less than this is no tier. */
    private static final long USEFUL_BYTES = 64L << 20;

    private final TidemarkConfig config;
    private final Sys sys;
    private final OptionalLong running;
    private final Map<Long, Path> devices = new HashMap<>();

    /** @param running the server of this state directory */
    SsdChecks(TidemarkConfig config, Sys sys, OptionalLong running) {
        this.config = config;
        this.sys = sys;
        this.running = running;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        Optional<SsdProspects> prospects = prospects(findings);
        boolean oneWorks = prospects.stream().anyMatch(SsdProspects::oneWorks);
        config.tiers()
                .ssd()
                .forEach(ssd -> findings.addAll(
                        directory(ssd, prospects.map(found -> found.each().get(ssd)), oneWorks)));
        return findings;
    }

    private Optional<SsdProspects> prospects(List<Finding> findings) {
        try {
            SsdProspects found = SsdProspects.of(sys, config, running);
            found.conflict()
                    .ifPresent(text -> findings.add(Finding.fail("ssd", text, "it stops the start; do one of these")));
            found.dropped().forEach(text -> findings.add(Finding.warn("ssd", text, adviceOnDropped())));
            return Optional.of(found);
        } catch (IOException e) {
            findings.add(Finding.fail(
                    "ssd",
                    (e instanceof FileSystemException place ? place.getFile() + ": " : "") + FileTrouble.reason(e),
                    "it stops the start; put right what is named there"));
            return Optional.empty();
        }
    }

    /** A server that runs may have been started with other settings than these, and serve from that directory. */
    private String adviceOnDropped() {
        return running.isPresent()
                ? "server process " + running.getAsLong()
                        + " may be using it: give doctor the settings which that server was started with"
                : "configure it again before a start, or remove its files";
    }

    private List<Finding> directory(TierPlan.Ssd ssd, Optional<SsdProspect> prospect, boolean oneWorks) {
        String check = "ssd " + ssd.name();
        SsdFolder folder = new SsdFolder(ssd, config.stateDir());
        Optional<String> trouble = folder.trouble();
        if (trouble.isPresent()) {
            return List.of(Finding.fail(
                    check, ssd.directory() + ": " + trouble.get(), "mount the device, or give another directory"));
        }
        Path there = PlaceChecks.existing(ssd.directory());
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
            prospect.ifPresent(found -> findings.addAll(start(check, ssd.directory(), found, oneWorks)));
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
            return List.of(unwritable(check, there, e, prospect));
        }
    }

    /** What is on a device that takes no writes is served. */
    private static Finding unwritable(String check, Path there, SysException e, Optional<SsdProspect> prospect) {
        String found = there + ": " + PlaceChecks.words(e);
        boolean holdsBlocks = prospect.stream()
                .anyMatch(known -> known instanceof SsdProspect.Opens opens
                        && opens.identity().isPresent());
        return e.errno() == Errno.EROFS && holdsBlocks
                ? Finding.warn(check, found, "what lies there is served, and nothing new is stored; mount it writable")
                : Finding.fail(check, found, "the directory has to be writable for this user and to have room");
    }

    private static List<Finding> start(String check, Path directory, SsdProspect prospect, boolean oneWorks) {
        String prefix = directory + ": ";
        return switch (prospect) {
            case SsdProspect.Opens opens ->
                opens.losses().stream()
                        .map(loss -> Finding.warn(
                                check,
                                prefix + loss,
                                "a start goes on with what is left; to keep the blocks put back what is missing first"))
                        .toList();
            case SsdProspect.LeftOut(String why) ->
                List.of(
                        oneWorks
                                ? Finding.warn(
                                        check, prefix + why, "a start leaves the directory out until it is put right")
                                : Finding.fail(
                                        check, prefix + why, "it stops the start; put right what is named there"));
            case SsdProspect.Refused(String why) ->
                List.of(Finding.fail(
                        check,
                        prefix + why + FileRights.behind(why),
                        "it stops the start; put right what is named there"));
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

    static Finding device(String check, DeviceProbe probe) {
        String found = "direct I/O %s, fallocate %s, a page is on the device after %d ms"
                .formatted(word(probe.noDirect()), word(probe.noAllocation()), probe.syncMillis());
        Optional<SysException> failure = probe.noDirect().or(probe::noAllocation);
        if (failure.isPresent() && !isUnknown(failure.get())) {
            return Finding.warn(
                    check,
                    found,
                    isFull(failure.get())
                            ? "free space: what does not fit stays out of use"
                            : "see what the kernel's log says of the device");
        }
        if (probe.noDirect().isPresent()) {
            return Finding.warn(
                    check, found, "reads and writes go through the page cache, which takes memory; use ext4 or xfs");
        }
        if (probe.noAllocation().isPresent()) {
            return Finding.warn(check, found, "the slab is written out at the start instead; use ext4 or xfs");
        }
        return probe.syncMillis() > SLOW_SYNC_MILLIS
                ? Finding.warn(check, found, "slow or busy: deletes wait for the device; see what else uses it")
                : Finding.ok(check, found);
    }

    private static String word(Optional<SysException> failure) {
        return failure.map(e -> "does not work" + (isUnknown(e) ? "" : " (" + PlaceChecks.words(e) + ")"))
                .orElse("works");
    }

    /** Whether the file system has no such call. */
    private static boolean isUnknown(SysException e) {
        return e.errno() == Errno.EINVAL || e.errno() == Errno.EOPNOTSUPP;
    }

    private static boolean isFull(SysException e) {
        return e.errno() == Errno.ENOSPC || e.errno() == Errno.EDQUOT;
    }
}
