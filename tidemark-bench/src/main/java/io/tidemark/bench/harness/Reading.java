package io.tidemark.bench.harness;

import java.util.LinkedHashMap;
import java.util.List;
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
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("what", what);
        fields.put("unit", unit);
        fields.put("ours", List.of(measured.median(), measured.low(), measured.high()));
        return fields;
    }
}
