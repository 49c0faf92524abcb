package io.tidemark.index.replay;

import java.util.Locale;
import java.util.Map;

/**
 * How much a simulated cache holds: a number of blocks or bytes, or a share of a trace's unique ones.
 *
 * @param label as it was written
 * @param count blocks or bytes, or percent
 * @param isPercent whether it is a share
 * @param unit what is counted
 */
public record CacheSize(String label, double count, boolean isPercent, Unit unit) {
    /** What a size counts. */
    public enum Unit {
        BLOCKS,
        BYTES
    }

    private static final Map<Character, Integer> POWERS = Map.of('k', 1, 'm', 2, 'g', 3, 't', 4);

    /** Reads {@code 9139} or {@code 5%}, of blocks. */
    public static CacheSize parse(String text) {
        String label = text.strip();
        boolean isPercent = label.endsWith("%");
        try {
            double count = isPercent ? percent(label) : Integer.parseInt(label);
            if (count > 0 && count <= Integer.MAX_VALUE) {
                return new CacheSize(label, count, isPercent, Unit.BLOCKS);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expectedBlocks(text), e);
        }
        throw new IllegalArgumentException(expectedBlocks(text));
    }

    /** Reads {@code 512Mi}, {@code 2G}, {@code 65536} or {@code 5%}, of bytes. */
    public static CacheSize parseBytes(String text) {
        String label = text.strip();
        boolean isPercent = label.endsWith("%");
        try {
            double count = isPercent ? percent(label) : bytes(label.toLowerCase(Locale.ROOT));
            if (count >= (isPercent ? Double.MIN_VALUE : 1) && count <= 1L << 60) {
                return new CacheSize(label, count, isPercent, Unit.BYTES);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expectedBytes(text), e);
        }
        throw new IllegalArgumentException(expectedBytes(text));
    }

    /** Blocks for a trace, or its bytes: rounded down, at least one. */
    public long of(Trace trace) {
        long all = unit == Unit.BYTES ? trace.uniqueBytes() : trace.uniqueBlocks();
        return (long) Math.max(1, isPercent ? Math.floor(all * count / 100) : count);
    }

    /** The same for a size that counts blocks. */
    public int blocks(Trace trace) {
        if (unit != Unit.BLOCKS) {
            throw new IllegalStateException("the size " + label + " counts bytes");
        }
        return (int) of(trace);
    }

    /** Room of this size, for the blocks of a trace. */
    Weights weights(Trace trace) {
        return unit == Unit.BYTES ? Weights.bytes(trace) : Weights.BLOCKS;
    }

    private static double percent(String label) {
        return Double.parseDouble(label.substring(0, label.length() - 1));
    }

    /** Bytes of {@code 1.5gi}, {@code 2g} or {@code 2gb}: powers of 1024 with an i, of 1000 without. */
    private static double bytes(String text) {
        String left = text.endsWith("b") ? text.substring(0, text.length() - 1) : text;
        boolean binary = left.endsWith("i");
        left = binary ? left.substring(0, left.length() - 1) : left;
        int power = left.isEmpty() ? 0 : POWERS.getOrDefault(left.charAt(left.length() - 1), 0);
        if (power == 0 && binary) {
            throw new NumberFormatException("no unit before the i");
        }
        left = power == 0 ? left : left.substring(0, left.length() - 1);
        return Math.floor(Double.parseDouble(left) * Math.pow(binary ? 1024 : 1000, power));
    }

    private static String expectedBlocks(String text) {
        return "'" + text + "' is no cache size; expected a number of blocks above 0, or a percentage such as 5%";
    }

    private static String expectedBytes(String text) {
        return "'" + text
                + "' is no cache size in bytes; expected for example 512Mi, 2G or 65536, or a percentage such as 5%";
    }
}
