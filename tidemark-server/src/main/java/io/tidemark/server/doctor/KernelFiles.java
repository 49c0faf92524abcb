package io.tidemark.server.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the kernel says about itself and this process.
 *
 * @param proc {@code /proc} on a machine
 * @param sys {@code /sys} on a machine
 */
record KernelFiles(Path proc, Path sys) {
    static KernelFiles ofMachine() {
        return new KernelFiles(Path.of("/proc"), Path.of("/sys"));
    }

    /** The first line of a file; empty when it is not there. */
    static Optional<String> line(Path file) {
        return lines(file).stream().findFirst().map(String::strip);
    }

    /** The lines of a file; none when it is not there. */
    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException _) {
            return List.of();
        }
    }

    /** A line of {@code meminfo}, in bytes. */
    OptionalLong memory(String name) {
        return lines(proc.resolve("meminfo")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst();
    }

    /** The hard limit of this name of this process; empty: unlimited, or not told. */
    OptionalLong hardLimit(String name) {
        return lines(proc.resolve("self/limits")).stream()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip().split(" +", -1)[1])
                .filter(value -> value.matches("\\d{1,18}"))
                .mapToLong(Long::parseLong)
                .findFirst();
    }
}
