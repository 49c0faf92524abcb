package io.tidemark.bench.harness;

import java.util.Map;

/**
 * Something that is measured by itself; less is better.
 *
 * @param unit for example {@code ns}
 * @param goal largest median that meets the goal
 */
public record Absolute(String what, String unit, MedianInterval measured, double goal) implements Row {
    /** Whether the goal is met. */
    public boolean met() {
        return measured.median() <= goal;
    }

    @Override
    public String text() {
        return "| %s | %s | - | - | <= %s | %s |"
                .formatted(what, measured.text(unit), Figure.of(goal), Row.verdict(met()));
    }

    @Override
    public Map<String, Object> fields() {
        Map<String, Object> fields = Row.measured(what, unit, measured);
        fields.put("goal", goal);
        fields.put("met", met());
        return fields;
    }
}
