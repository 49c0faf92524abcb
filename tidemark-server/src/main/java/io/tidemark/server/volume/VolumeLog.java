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
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Log lines in the form of the evictor of old, on stdout and in a file if one is set:
 * {@code [P9] 2026-11-29 18:02:31 - activator - INFO - text}; the main role has no number. Or each as a JSON object with the
 * field names of the server's log, {@code threadName} being the number of the role. The file is moved to
 * {@code <file>.1} when it reaches {@link #FILE_BYTES_MAX}, and given up with one line when it cannot be written.
 */
final class VolumeLog {
    private static final long FILE_BYTES_MAX = 64L << 20;
    private static final String MAIN = "__main__";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<String> LEVELS = List.of("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final PrintStream out;
    private final boolean json;
    private final int least;
    private final Clock clock;
    private Optional<Path> file;

    /**
     * A log.
     *
     * @param json whether lines are JSON objects
     */
    VolumeLog(PrintStream out, boolean json, String level, Optional<Path> file, Clock clock) {
        this.out = out;
        this.json = json;
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
        if (LEVELS.indexOf(level) < least) {
            return;
        }
        if (json) {
            write(object(process, logger, level, text));
        } else {
            String prefix = process == 0 ? "" : "[P" + process + "] ";
            write(prefix + TIME.format(LocalDateTime.now(clock)) + " - " + logger + " - " + level + " - " + text);
        }
    }

    private String object(int process, String logger, String level, String text) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("time", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
        fields.put("level", level);
        fields.put("threadName", process == 0 ? "main" : "P" + process);
        fields.put("loggerName", logger);
        fields.put("formattedMessage", text);
        return JSON.writeValueAsString(fields);
    }

    void main(String level, String text) {
        line(0, MAIN, level, text);
    }

    /** A line without time and level. */
    void plain(String text) {
        write(json ? object(0, MAIN, "INFO", text) : text);
    }

    private synchronized void write(String line) {
        out.println(line);
        out.flush();
        if (file.isPresent()) {
            try {
                append(file.get(), line);
            } catch (IOException e) {
                String givenUp = "log file " + file.get() + " is given up: " + e;
                out.println(json ? object(0, MAIN, "WARNING", givenUp) : givenUp);
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
