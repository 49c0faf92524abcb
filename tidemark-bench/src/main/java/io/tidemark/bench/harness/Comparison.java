package io.tidemark.bench.harness;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One row of a benchmark: our side against another one.
 *
 * @param what the cell, for example {@code GET 64 KiB, 1 client, batch 32}
 * @param unit unit of both sides, for example {@code GB/s}
 * @param goal smallest ratio that meets the goal, or largest when {@code lowerIsBetter}
 */
public record Comparison(String what, String unit, Samples ours, Samples other, double goal, boolean lowerIsBetter) {
    /** Ratio of ours to the other, over the rounds. */
    public MedianInterval ratio() {
        return ours.ratioTo(other);
    }

    /** Whether the median ratio meets the goal. */
    public boolean met() {
        return lowerIsBetter ? ratio().median() <= goal : ratio().median() >= goal;
    }

    /** The row of a Markdown table; {@link #header} is its head. */
    public String row() {
        MedianInterval ratio = ratio();
        return String.format(
                Locale.ROOT,
                "| %s | %s %.3g | %s %.3g | %.2f [%.2f, %.2f] | %s %.2f | %s |",
                what,
                ours.side(),
                ours.median().median(),
                other.side(),
                other.median().median(),
                ratio.median(),
                ratio.low(),
                ratio.high(),
                lowerIsBetter ? "<=" : ">=",
                goal,
                met() ? "met" : "MISSED");
    }

    /** The row as an object for machines. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("what", what);
        fields.put("unit", unit);
        fields.put("ours", ours.side());
        fields.put("ours_median", ours.median().median());
        fields.put("other", other.side());
        fields.put("other_median", other.median().median());
        fields.put("ratio", List.of(ratio().median(), ratio().low(), ratio().high()));
        fields.put("goal", goal);
        fields.put("met", met());
        return fields;
    }

    /** Head of the Markdown table of {@link #row}. */
    public static String header(String unit) {
        return "| what | ours, " + unit + " | against | ratio [95 %] | goal | |\n|---|---|---|---|---|---|";
    }
}
