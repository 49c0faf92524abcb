package io.tidemark.server.config;

import java.util.List;

/** The configuration cannot be used. Carries every problem found, one line each. */
public final class ConfigException extends Exception {
    private final List<String> problems;

    /** With at least one problem; each says where it is, what was wrong and what was expected. */
    public ConfigException(List<String> problems) {
        super(String.join("\n", oneLineEach(problems)));
        this.problems = oneLineEach(problems);
    }

    /** A value that was given may hold line ends; a problem is one line all the same. */
    private static List<String> oneLineEach(List<String> problems) {
        return problems.stream()
                .map(problem -> problem.replace("\n", "\\n").replace("\r", "\\r"))
                .toList();
    }

    /** The problems, one line each, in the order found. */
    public List<String> problems() {
        return problems;
    }
}
