package io.tidemark.server.volume;

import io.tidemark.core.pool.CounterVisitor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Writes counters and gauges in the text form of Prometheus, those of one name together. */
final class MetricsText implements CounterVisitor {
    private final Map<String, StringBuilder> families = new LinkedHashMap<>();

    /** The text of everything that {@code shown} shows. */
    static String of(Consumer<CounterVisitor> shown) {
        MetricsText text = new MetricsText();
        shown.accept(text);
        return String.join("", text.families.values());
    }

    @Override
    public void counter(String name, String help, long value, String... labels) {
        sample(name, help, "counter", Long.toString(value), labels);
    }

    @Override
    public void gauge(String name, String help, double value, String... labels) {
        sample(name, help, "gauge", Double.toString(value), labels);
    }

    private void sample(String name, String help, String type, String value, String... labels) {
        StringBuilder family = families.computeIfAbsent(
                name,
                absent -> new StringBuilder()
                        .append("# HELP ")
                        .append(name)
                        .append(' ')
                        .append(help)
                        .append("\n# TYPE ")
                        .append(name)
                        .append(' ')
                        .append(type)
                        .append('\n'));
        family.append(name);
        if (labels.length > 0) {
            family.append('{');
            for (int i = 0; i < labels.length; i += 2) {
                family.append(i == 0 ? "" : ",")
                        .append(labels[i])
                        .append("=\"")
                        .append(escaped(labels[i + 1]))
                        .append('"');
            }
            family.append('}');
        }
        family.append(' ').append(value).append('\n');
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
