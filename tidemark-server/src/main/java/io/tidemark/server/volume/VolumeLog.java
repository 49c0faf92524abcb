package io.tidemark.server.volume;

import java.io.PrintStream;
import java.nio.file.Path;
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
 * field names of the server's log, {@code threadName} being the number of the role. Nobody waits for the file
 * ({@link LogFile}).
 */
final class VolumeLog {
    private static final String MAIN = "__main__";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<String> LEVELS = List.of("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final PrintStream out;
    private final boolean json;
    private final int least;
    private final Clock clock;
    private final Optional<LogFile> file;

    /** Its own file is told of on stdout alone, but for the line in it that says what it lacks. */
    private final class AboutFile implements LogFile.Words {
        @Override
        public String line(String text) {
            return form(0, MAIN, "WARNING", text);
        }

        @Override
        public void tell(String text) {
            print(line(text));
        }
    }

    /**
     * A log.
     *
     * @param json whether lines are JSON objects
     */
    VolumeLog(PrintStream out, boolean json, String level, Optional<Path> file, Clock clock) {
        this.out = out;
        this.json = json;
        this.least = LEVELS.indexOf(level);
        this.clock = clock;
        this.file = file.map(path -> new LogFile(path, new AboutFile(), System::nanoTime));
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
        write(form(process, logger, level, text));
    }

    private String form(int process, String logger, String level, String text) {
        if (json) {
            return object(process, logger, level, text);
        }
        String prefix = process == 0 ? "" : "[P" + process + "] ";
        return prefix + TIME.format(LocalDateTime.now(clock)) + " - " + logger + " - " + level + " - " + text;
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
        print(line);
        file.ifPresent(log -> log.add(line));
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }

    /** Says on stdout that the file hangs, also while nobody else says anything. */
    void tellIfFileIsLate() {
        file.ifPresent(LogFile::tellIfLate);
    }

    /** Takes no more lines into the file, and waits until those that are queued for it are written, so long at most. */
    void close(long nanosMax) throws InterruptedException {
        if (file.isPresent()) {
            file.get().close(nanosMax);
        }
    }
}
