package io.tidemark.index.replay;

/**
 * A number of blocks, or a share of a trace's unique blocks.
 *
 * @param label as it was written
 * @param count blocks, or percent
 * @param isPercent which of the two
 */
public record CacheSize(String label, double count, boolean isPercent) {
    /** Reads {@code 9139} or {@code 5%}. */
    public static CacheSize parse(String text) {
        String label = text.strip();
        boolean isPercent = label.endsWith("%");
        try {
            double count =
                    isPercent ? Double.parseDouble(label.substring(0, label.length() - 1)) : Integer.parseInt(label);
            if (count > 0 && count <= Integer.MAX_VALUE) {
                return new CacheSize(label, count, isPercent);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected(text), e);
        }
        throw new IllegalArgumentException(expected(text));
    }

    /** Whole blocks for a trace, rounded down, at least one. */
    public int blocks(Trace trace) {
        double blocks = isPercent ? Math.floor(trace.uniqueBlocks() * count / 100) : count;
        return (int) Math.max(1, blocks);
    }

    private static String expected(String text) {
        return "a cache size is a number of blocks above 0 or a percentage such as 5%, got '" + text + "'";
    }
}
