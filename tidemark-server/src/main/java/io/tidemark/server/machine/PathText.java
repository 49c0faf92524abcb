package io.tidemark.server.machine;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths as they are given in text. */
public final class PathText {
    /** What the JVM takes names of files to be written in; of the locale it was started with. */
    private static final String NAMES = "sun.jnu.encoding";

    private PathText() {}

    /**
     * The path that a text means.
     *
     * @throws IllegalArgumentException says what was wrong and what was expected
     */
    public static Path read(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    "'" + text.replace("\0", "\\0") + "' is no path; expected " + expected(text), e);
        }
    }

    private static String expected(String text) {
        return text.indexOf('\0') >= 0
                ? "one without a zero byte"
                : "characters of " + System.getProperty(NAMES) + ", or a start with LC_ALL=C.UTF-8";
    }
}
