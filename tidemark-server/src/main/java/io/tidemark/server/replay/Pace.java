package io.tidemark.server.replay;

import java.util.Locale;

/**
 * How fast requests are sent: {@code factor} times as fast as the trace has them.
 *
 * @param factor positive; infinite for as soon as possible
 */
public record Pace(double factor) {
    /** As soon as possible. */
    public static final Pace ASAP = new Pace(Double.POSITIVE_INFINITY);

    /** Refuses factors that are not positive. */
    public Pace {
        if (!(factor > 0)) {
            throw new IllegalArgumentException("speed factor " + factor + "; expected a number above 0");
        }
    }

    /** Reads {@code asap}, {@code real} or {@code xN}. */
    public static Pace parse(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (word.equals("asap")) {
            return ASAP;
        }
        if (word.equals("real")) {
            return new Pace(1);
        }
        try {
            if (word.startsWith("x")) {
                return new Pace(Double.parseDouble(word.substring(1)));
            }
        } catch (NumberFormatException e) {
            throw refused(text, e);
        }
        throw refused(text, null);
    }

    /** When a request of that trace time is due, in nanoseconds from the start of the run. */
    long dueNanos(long timestampMillis) {
        return Double.isInfinite(factor) ? 0 : (long) (timestampMillis * 1e6 / factor);
    }

    private static IllegalArgumentException refused(String text, @org.jspecify.annotations.Nullable Exception cause) {
        return new IllegalArgumentException("'" + text + "' is no speed; expected asap, real or xN (x10, x0.5)", cause);
    }
}
