package io.tidemark.server.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Finds how much memory this process may use: the machine's, or less where a cgroup (version 1 or 2) or one of its
 * parents has a limit. Inside a container the cgroup's own path is often not visible; then the mount's root counts.
 */
public final class MemoryLimits {
    /** Values at or above this mean no limit: cgroup v1 writes a number near 2^63. */
    private static final long NO_LIMIT_BYTES = 1L << 60;

    private final Path proc;
    private final Path cgroups;

    /** Reads under these roots, {@code /proc} and {@code /sys/fs/cgroup} on a machine. */
    MemoryLimits(Path proc, Path cgroups) {
        this.proc = proc;
        this.cgroups = cgroups;
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
        return lines(proc.resolve("meminfo")).stream()
                .filter(line -> line.startsWith("MemTotal:"))
                .map(line -> new Limit(Long.parseLong(line.replaceAll("\\D", "")) * 1024, "the machine's memory"))
                .findFirst();
    }

    private Stream<Limit> cgroupLimits() {
        return lines(proc.resolve("self/cgroup")).stream().flatMap(line -> {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                return upwards(cgroups, parts[2], "memory.max");
            }
            boolean memory = parts.length == 3 && List.of(parts[1].split(",")).contains("memory");
            return memory ? upwards(cgroups.resolve("memory"), parts[2], "memory.limit_in_bytes") : Stream.empty();
        });
    }

    /** The limits of a cgroup and of each of its parents. */
    private static Stream<Limit> upwards(Path root, String group, String file) {
        Path own = root.resolve(group.replaceFirst("^/+", "")).normalize();
        Path start = own.startsWith(root) ? own : root;
        return Stream.iterate(
                        start,
                        path -> path.startsWith(root),
                        path -> path.resolve("..").normalize())
                .flatMap(path -> limit(path.resolve(file)).stream());
    }

    private static Optional<Limit> limit(Path file) {
        OptionalLong bytes = lines(file).stream()
                .filter(line -> line.matches("\\d{1,18}"))
                .mapToLong(Long::parseLong)
                .findFirst();
        return bytes.isPresent() && bytes.getAsLong() < NO_LIMIT_BYTES
                ? Optional.of(new Limit(bytes.getAsLong(), "the limit in " + file))
                : Optional.empty();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException _) {
            return List.of();
        }
    }
}
