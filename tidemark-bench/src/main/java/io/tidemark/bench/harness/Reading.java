package io.tidemark.bench.harness;

import java.util.Map;

/**
 * Something that is measured and has no goal.
 *
 * @param unit for example {@code ms}
 */
public record Reading(String what, String unit, MedianInterval measured) implements Row {
    @Override
    public String text() {
        return "| %s | %s | - | - | - | |".formatted(what, measured.text(unit));
    }

    @Override
    public Map<String, Object> fields() {
        return Row.measured(what, unit, measured);
    }
}
