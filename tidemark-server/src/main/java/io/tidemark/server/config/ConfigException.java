package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The configuration cannot be used. Carries every problem found, one line each. */
public final class ConfigException extends Exception {
    private static final Pattern PLACE = Pattern.compile("(?!flag |variable |default)(.+?):(\\d{1,9}): ");

    private final List<String> problems;
    private final transient Optional<Path> stateDir;
    private final boolean jsonLog;

    /** With at least one problem; each says where it is, what was wrong and what was expected. */
    public ConfigException(List<String> problems) {
        this(problems, Optional.empty(), false);
    }

    /** As above, of a configuration of which that much was understood all the same. */
    ConfigException(List<String> problems, Optional<Path> stateDir, boolean jsonLog) {
        super(String.join("\n", inOrder(problems)));
        this.problems = inOrder(problems);
        this.stateDir = stateDir;
        this.jsonLog = jsonLog;
    }

    /** Those of a file by its lines, the others as found; what follows twice from one mistake is told once. */
    private static List<String> inOrder(List<String> problems) {
        List<String> files =
                problems.stream().map(ConfigException::file).distinct().toList();
        return oneLineEach(problems).stream()
                .distinct()
                .sorted(Comparator.comparingInt((String problem) -> files.indexOf(file(problem)))
                        .thenComparingInt(ConfigException::line))
                .toList();
    }

    /** The file of a problem; empty: it is in none. */
    private static String file(String problem) {
        Matcher place = PLACE.matcher(problem);
        return place.lookingAt() ? place.group(1) : "";
    }

    private static int line(String problem) {
        Matcher place = PLACE.matcher(problem);
        return place.lookingAt() ? Integer.parseInt(place.group(2)) : 0;
    }

    /** A value that was given may hold line ends; a problem is one line all the same. */
    private static List<String> oneLineEach(List<String> problems) {
        return problems.stream()
                .map(problem -> problem.replace("\n", "\\n").replace("\r", "\\r"))
                .toList();
    }

    /** Where a server with this configuration would have its state, where that was understood. */
    public Optional<Path> stateDir() {
        return stateDir;
    }

    /** The problems, one line each, those of a file in the order of its lines. */
    public List<String> problems() {
        return problems;
    }

    /** Whether the log was asked for as JSON. */
    public boolean jsonLog() {
        return jsonLog;
    }
}
