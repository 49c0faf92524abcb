package io.tidemark.server.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Finds how many threads this process may still start: its user's limit counts those of all processes of the user, that of a
 * cgroup those of all in it, the kernel's all there are.
 */
public final class ThreadLimits {
    /** With either of these (CAP_SYS_ADMIN, CAP_SYS_RESOURCE) the user's limit holds for nobody. */
    private static final long EXEMPT = 1L << 21 | 1L << 24;

    private final Path proc;
    private final Cgroups cgroups;

    /** Reads under these roots, {@code /proc} and {@code /sys/fs/cgroup} on a machine. */
    ThreadLimits(Path proc, Path cgroups) {
        this.proc = proc;
        this.cgroups = new Cgroups(proc, cgroups);
    }

    /** Those of this machine and process. */
    public static ThreadLimits ofMachine() {
        return new ThreadLimits(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * A limit.
     *
     * @param threads there may be
     * @param used threads that there are
     * @param source what sets it, for people
     * @param raise how it is raised, before the number
     */
    public record Limit(long threads, long used, String source, String raise) {
        /** Threads that may still come. */
        public long left() {
            return threads - used;
        }
    }

    /** The limit that is reached first. Empty when the machine does not say. */
    public Optional<Limit> tightest() {
        return Stream.of(user(), groups(), kernel())
                .flatMap(limits -> limits)
                .min(Comparator.comparingLong(Limit::left));
    }

    private Stream<Limit> user() {
        List<String> status = Cgroups.lines(proc.resolve("self/status"));
        boolean exempt = field(status, "CapEff")
                .map(set -> (Long.parseUnsignedLong(set, 16) & EXEMPT) != 0)
                .orElse(false);
        Optional<String> uid = field(status, "Uid");
        OptionalLong limit = Cgroups.lines(proc.resolve("self/limits")).stream()
                .filter(line -> line.matches("Max processes +\\d{1,18} .*"))
                .mapToLong(line -> Long.parseLong(line.split(" +", -1)[2]))
                .findFirst();
        return exempt || uid.isEmpty() || limit.isEmpty()
                ? Stream.empty()
                : Stream.of(new Limit(
                        limit.getAsLong(),
                        threadsOf(uid.get()),
                        "the limit of user " + uid.get() + ", ulimit -u",
                        "LimitNPROC= or ulimit -u to"));
    }

    /** Threads of all processes of a user, as far as they can be seen. */
    private long threadsOf(String uid) {
        long threads = 0;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                List<String> status = Cgroups.lines(process.resolve("status")); // none where it has just ended
                if (field(status, "Uid").equals(Optional.of(uid))) {
                    threads += field(status, "Threads").map(Long::parseLong).orElse(0L);
                }
            }
        } catch (IOException _) {
            return threads;
        }
        return threads;
    }

    private Stream<Limit> groups() {
        return cgroups.of("pids").flatMap(group -> {
            Path file = group.resolve("pids.max");
            OptionalLong most = Cgroups.number(file);
            OptionalLong used = Cgroups.number(group.resolve("pids.current"));
            return most.isEmpty() || used.isEmpty()
                    ? Stream.empty()
                    : Stream.of(new Limit(
                            most.getAsLong(),
                            used.getAsLong(),
                            "the limit in " + file,
                            "TasksMax=, --pids-limit or podPidsLimit to"));
        });
    }

    /** Of all threads that there are; each has a pid of its own. */
    private Stream<Limit> kernel() {
        Optional<Long> used = Cgroups.lines(proc.resolve("loadavg")).stream()
                .filter(line -> line.matches("\\S+ \\S+ \\S+ \\d+/\\d{1,18} .*"))
                .map(line -> Long.parseLong(line.replaceAll("^\\S+ \\S+ \\S+ \\d+/(\\d+) .*", "$1")))
                .findFirst();
        return used.stream()
                .flatMap(there -> Stream.of("threads-max", "pid_max").flatMap(name -> kernel(name, there)));
    }

    private Stream<Limit> kernel(String name, long used) {
        return Cgroups.number(proc.resolve("sys/kernel").resolve(name)).stream()
                .mapToObj(
                        most -> new Limit(most, used, "the kernel's limit, kernel." + name, "kernel." + name + " to"));
    }

    /** The first word of a field of a status file. */
    private static Optional<String> field(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip().split("\\s+", 2)[0])
                .findFirst();
    }
}
