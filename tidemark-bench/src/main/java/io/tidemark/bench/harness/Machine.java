package io.tidemark.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What the measurements ran on, and the priority they ran at. */
public final class Machine {
    private static final Path AUTOGROUP = Path.of("/proc/self/autogroup");

    private Machine() {}

    /**
     * Raises the priority of this session over everything else on the machine, where that is allowed (root on Linux).
     *
     * @return what came of it, for the machine line
     */
    public static String raisePriority() {
        try {
            Files.writeString(AUTOGROUP, "-19");
            return "autogroup nice -19";
        } catch (IOException | UnsupportedOperationException e) {
            return "normal priority";
        }
    }

    /** One line: processor, cores, memory, kernel, JDK, load, priority and date. */
    public static String line(String priority) {
        return String.format(
                Locale.ROOT,
                "%s, %d cores, %s, Linux %s, JDK %s, load %s, %s, %s",
                field("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                field("/proc/meminfo", "MemTotal"),
                System.getProperty("os.version"),
                Runtime.version(),
                load(),
                priority,
                ZonedDateTime.now(ZoneId.systemDefault())
                        .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT)));
    }

    private static String field(String file, String name) {
        try {
            for (String line : Files.readAllLines(Path.of(file))) {
                if (line.startsWith(name)) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        } catch (IOException e) {
            return "unknown " + name;
        }
        return "unknown " + name;
    }

    private static String load() {
        try {
            String averages = Files.readString(Path.of("/proc/loadavg"));
            return averages.substring(0, averages.indexOf(' '));
        } catch (IOException e) {
            return "unknown";
        }
    }
}
