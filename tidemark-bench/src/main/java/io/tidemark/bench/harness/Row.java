package io.tidemark.bench.harness;

import java.util.Map;

/** One row of a benchmark's result. */
public sealed interface Row permits Comparison, Absolute, Reading {
    /** Head of the Markdown table of {@link #text}. */
    String HEADER = "| what | ours | against | ratio [95 %] | goal | |\n|---|---|---|---|---|---|";

    /** The row of a Markdown table. */
    String text();

    /** The row as an object for machines. */
    Map<String, Object> fields();

    /** How it reads in a table that a goal is met, or not. */
    static String verdict(boolean met) {
        return met ? "met" : "MISSED";
    }
}
