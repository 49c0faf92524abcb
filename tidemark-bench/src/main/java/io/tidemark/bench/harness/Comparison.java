package io.tidemark.bench.harness;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Our side against another one; more is better.
 *
 * @param what the cell, for example {@code GET 64 KiB, clients 1, batch 32}
 * @param unit unit of both sides, for example {@code GB/s}
 * @param goal smallest ratio that meets the goal
 */
public record Comparison(String what, String unit, Samples ours, Samples other, double goal) implements Row {
    /** Median of the ratios of ours to the other, round by round. */
    public MedianInterval ratio() {
        return ours.ratioTo(other);
    }

    /** Whether the goal is met. */
    public boolean met() {
        return ratio().median() >= goal;
    }

    @Override
    public String text() {
        MedianInterval ratio = ratio();
        return "| %s | %s %s | %s %s | %s [%s, %s] | >= %s | %s |"
                .formatted(
                        what,
                        Figure.of(ours.median().median()),
                        unit,
                        other.side(),
                        Figure.of(other.median().median()),
                        Figure.of(ratio.median()),
                        Figure.of(ratio.low()),
                        Figure.of(ratio.high()),
                        Figure.of(goal),
                        Row.verdict(met()));
    }

    @Override
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("what", what);
        fields.put("unit", unit);
        fields.put("ours", ours.median().median());
        fields.put("against", other.side());
        fields.put("other", other.median().median());
        fields.put("ratio", List.of(ratio().median(), ratio().low(), ratio().high()));
        fields.put("goal", goal);
        fields.put("met", met());
        return fields;
    }
}
