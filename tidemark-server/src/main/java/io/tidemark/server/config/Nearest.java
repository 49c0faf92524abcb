package io.tidemark.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a mistyped one was probably meant to be. */
public final class Nearest {
    private Nearest() {}

    /** {@code ; did you mean 'X'?} or nothing when no name is near. */
    static String hint(String given, Collection<String> known) {
        return to(given, known).map(name -> "; did you mean '" + name + "'?").orElse("");
    }

    /** The known name with the fewest edits but for capitals, if those are at most a third of its length (but one at least). */
    public static Optional<String> to(String given, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String name) -> edits(given, name))
                        .thenComparing(name -> name))
                .filter(name -> edits(given, name) <= Math.max(1, name.length() / 3));
    }

    /** Number of insertions, deletions and replacements that turn one text into the other. */
    private static int edits(String given, String known) {
        String from = given.toLowerCase(Locale.ROOT);
        String to = known.toLowerCase(Locale.ROOT);
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column <= to.length(); column++) {
                int above = row[column];
                int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                row[column] = Math.min(replaced, Math.min(above, row[column - 1]) + 1);
                diagonal = above;
            }
        }
        return row[to.length()];
    }
}
