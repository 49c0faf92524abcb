package io.tidemark.index.replay;

/**
 * Watermarks as shares of the capacity: a store that reaches the high mark makes the cache drain to the low one.
 *
 * @param high above {@code low}, at most 1
 * @param low at least 0
 */
public record Marks(double high, double low) {
    /** Refuses marks that leave nothing between them. */
    public Marks {
        if (!(0 <= low && low < high && high <= 1)) {
            throw new IllegalArgumentException(
                    "marks " + high + ":" + low + " do not fit; expected 0 <= low < high <= 1");
        }
    }

    /** Reads {@code high:low}, for example {@code 0.9:0.7}. */
    public static Marks parse(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == 2) {
                return new Marks(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected(text), e);
        }
        throw new IllegalArgumentException(expected(text));
    }

    private static String expected(String text) {
        return "'" + text + "' is no pair of marks; expected HIGH:LOW, for example 0.9:0.7";
    }
}
