package io.tidemark.server.volume;

import io.tidemark.core.volume.AgeShare;
import io.tidemark.server.config.ByteSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bars of the age histogram in words and as a tree for JSON. A bar never counts what is in another. */
public final class AgeBars {
    private static final long DAY_SECONDS = 86_400;
    private static final long HOUR_SECONDS = 3_600;

    private AgeBars() {}

    /**
     * A line for each bar that holds anything, the youngest first: what it holds, and what it and all older ones hold.
     *
     * @param bars in rising age
     */
    public static List<String> lines(List<AgeShare> bars) {
        long older = bars.stream().mapToLong(AgeShare::bytes).sum();
        List<String> lines = new ArrayList<>();
        for (AgeShare bar : bars) {
            if (bar.bytes() > 0) {
                lines.add("last used " + span(bar) + " ago: " + ByteSize.rounded(bar.bytes()) + sum(bar, older));
            }
            older -= bar.bytes();
        }
        return lines;
    }

    private static String span(AgeShare bar) {
        if (bar.isOldest()) {
            return age(bar.fromSeconds()) + " or longer";
        }
        return bar.fromSeconds() == 0
                ? "less than " + age(bar.toSeconds())
                : age(bar.fromSeconds()) + " to " + age(bar.toSeconds());
    }

    private static String sum(AgeShare bar, long olderBytes) {
        return bar.isOldest() || bar.fromSeconds() == 0
                ? ""
                : " (" + age(bar.fromSeconds()) + " ago or longer, in all: " + ByteSize.rounded(olderBytes) + ")";
    }

    private static String age(long seconds) {
        if (seconds >= DAY_SECONDS) {
            return seconds / DAY_SECONDS + " d";
        }
        return seconds >= HOUR_SECONDS ? seconds / HOUR_SECONDS + " h" : seconds / 60 + " min";
    }

    /** Each bar with its ends in seconds; the oldest has no {@code to_seconds}. */
    static List<Map<String, Long>> json(List<AgeShare> bars) {
        return bars.stream().map(AgeBars::json).toList();
    }

    private static Map<String, Long> json(AgeShare bar) {
        Map<String, Long> json = new LinkedHashMap<>();
        json.put("from_seconds", bar.fromSeconds());
        if (!bar.isOldest()) {
            json.put("to_seconds", bar.toSeconds());
        }
        json.put("bytes", bar.bytes());
        return json;
    }
}
