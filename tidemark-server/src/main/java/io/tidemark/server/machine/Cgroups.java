package io.tidemark.server.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The groups of processes, of version 1 or 2, that this one is counted in. Inside a container the group's own path is often
 * not visible; then the mount's root counts.
 *
 * @param proc {@code /proc} on a machine
 * @param root {@code /sys/fs/cgroup} on a machine
 */
record Cgroups(Path proc, Path root) {
    /** The folders of those that a controller looks at: the process's own, then each of its parents. */
    Stream<Path> of(String controller) {
        return lines(proc.resolve("self/cgroup")).stream().flatMap(line -> {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                return upwards(root, parts[2]);
            }
            boolean looks = parts.length == 3 && List.of(parts[1].split(",")).contains(controller);
            return looks ? upwards(root.resolve(controller), parts[2]) : Stream.empty();
        });
    }

    private static Stream<Path> upwards(Path top, String group) {
        Path own = top.resolve(group.replaceFirst("^/+", "")).normalize();
        return Stream.iterate(
                own.startsWith(top) ? own : top,
                path -> path.startsWith(top),
                path -> path.resolve("..").normalize());
    }

    /** The number that a file holds; empty when it holds none ({@code max}), or is not there. */
    static OptionalLong number(Path file) {
        return lines(file).stream()
                .filter(line -> line.matches("\\d{1,18}"))
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    /** The lines of a file; none when it is not there. */
    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException _) {
            return List.of();
        }
    }
}
