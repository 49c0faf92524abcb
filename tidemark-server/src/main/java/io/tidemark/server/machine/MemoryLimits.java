package io.tidemark.server.machine;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Finds how much memory this process may use: the machine's, or less where a cgroup (version 1 or 2) or one of its
 * parents has a limit.
 */
public final class MemoryLimits {
    /** Values at or above this mean no limit: cgroup v1 writes a number near 2^63. */
    private static final long NO_LIMIT_BYTES = 1L << 60;

    private final Path proc;
    private final Cgroups cgroups;

    /** Reads under these roots, {@code /proc} and {@code /sys/fs/cgroup} on a machine. */
    MemoryLimits(Path proc, Path cgroups) {
        this.proc = proc;
        this.cgroups = new Cgroups(proc, cgroups);
    }

    /** Those of this machine and process. */
    public static MemoryLimits ofMachine() {
        return new MemoryLimits(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /** The tightest limit, in bytes, and whose it is. Empty when the machine does not say. */
    public Optional<Limit> tightest() {
        return Stream.concat(machine().stream(), cgroupLimits()).min((a, b) -> Long.compare(a.bytes(), b.bytes()));
    }

    /** A limit and what sets it, for people. */
    public record Limit(long bytes, String source) {}

    private Optional<Limit> machine() {
        return Cgroups.lines(proc.resolve("meminfo")).stream()
                .filter(line -> line.startsWith("MemTotal:"))
                .map(line -> new Limit(Long.parseLong(line.replaceAll("\\D", "")) * 1024, "the machine's memory"))
                .findFirst();
    }

    /** Version 2 and version 1 of cgroups name the file differently. */
    private Stream<Limit> cgroupLimits() {
        return cgroups.of("memory")
                .flatMap(group ->
                        Stream.of("memory.max", "memory.limit_in_bytes").map(group::resolve))
                .flatMap(file -> limit(file).stream());
    }

    private static Optional<Limit> limit(Path file) {
        OptionalLong bytes = Cgroups.number(file);
        return bytes.isPresent() && bytes.getAsLong() < NO_LIMIT_BYTES
                ? Optional.of(new Limit(bytes.getAsLong(), "the limit in " + file))
                : Optional.empty();
    }
}
