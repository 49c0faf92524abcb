package io.tidemark.server.volume;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/**
 * Log lines in the form of the evictor of old, on stdout and in a file if one is set:
 * {@code [P9] 2026-11-29 18:02:31 - activator - INFO - text}; the main role has no number. The file is moved to
 * {@code <file>.1} when it reaches {@link #FILE_BYTES_MAX}, and given up with one line when it cannot be written.
 */
final class VolumeLog {
    private static final long FILE_BYTES_MAX = 64L << 20;
    private static final List<String> LEVELS = List.of("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final PrintStream out;
    private final int least;
    private final Clock clock;
    private Optional<Path> file;

    VolumeLog(PrintStream out, String level, Optional<Path> file, Clock clock) {
        this.out = out;
        this.least = LEVELS.indexOf(level);
        this.file = file;
        this.clock = clock;
    }

    /**
     * A line of a role.
     *
     * @param process number of the role; 0 for the main one
     */
    void line(int process, String logger, String level, String text) {
        if (LEVELS.indexOf(level) >= least) {
            String prefix = process == 0 ? "" : "[P" + process + "] ";
            write(prefix + TIME.format(LocalDateTime.now(clock)) + " - " + logger + " - " + level + " - " + text);
        }
    }

    void main(String level, String text) {
        line(0, "__main__", level, text);
    }

    /** A line without time and level. */
    void plain(String text) {
        write(text);
    }

    private synchronized void write(String line) {
        out.println(line);
        out.flush();
        if (file.isPresent()) {
            try {
                append(file.get(), line);
            } catch (IOException e) {
                out.println("log file " + file.get() + " is given up: " + e);
                file = Optional.empty();
            }
        }
    }

    private static void append(Path path, String line) throws IOException {
        if (Files.exists(path) && Files.size(path) >= FILE_BYTES_MAX) {
            Files.move(path, path.resolveSibling(path.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.writeString(path, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
