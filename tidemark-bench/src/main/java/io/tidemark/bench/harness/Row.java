package io.tidemark.bench.harness;

import java.util.Map;

/** One row of a benchmark's result. */
public sealed interface Row permits Comparison, Absolute {
    /** Head of the Markdown table of {@link #text}. */
    String HEADER = "| what | ours | against | ratio [95 %] | goal | |\n|---|---|---|---|---|---|";

    /** The row of a Markdown table. */
    String text();

    /** The row as an object for machines. */
    Map<String, Object> fields();

    /** Whether the goal is met. */
    boolean met();

    /** How {@link #met} reads in a table. */
    default String verdict() {
        return met() ? "met" : "MISSED";
    }
}
