package io.tidemark.bench.harness;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One row of a benchmark's result. */
public sealed interface Row permits Comparison, Absolute, Reading {
    /** Head of the Markdown table of {@link #text}. */
    String HEADER = "| what | ours | against | ratio [95 %] | goal | |\n|---|---|---|---|---|---|";

    /** The row of a Markdown table. */
    String text();

    /** The row as an object for machines. */
    Map<String, Object> fields();

    /** What objects of rows have in common that are measured by themselves. */
    static Map<String, Object> measured(String what, String unit, MedianInterval measured) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("what", what);
        fields.put("unit", unit);
        fields.put("ours", List.of(measured.median(), measured.low(), measured.high()));
        return fields;
    }

    /** How it reads in a table that a goal is met, or not. */
    static String verdict(boolean met) {
        return met ? "met" : "MISSED";
    }
}
