package io.tidemark.server.metrics;

import io.tidemark.core.pool.CounterVisitor;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes what components show as a page of the Prometheus text format, version 0.0.4. Samples of one name stand
 * together, as the format asks for, whichever component showed them.
 */
public final class PrometheusText implements CounterVisitor {
    /** Media type of the page. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final Map<String, StringBuilder> families = new TreeMap<>();

    @Override
    public void counter(String name, String help, long value, String... labels) {
        sample(name, help, "counter", Long.toString(value), labels);
    }

    @Override
    public void gauge(String name, String help, double value, String... labels) {
        sample(name, help, "gauge", number(value), labels);
    }

    /** The page so far. */
    public String page() {
        StringBuilder page = new StringBuilder();
        families.values().forEach(page::append);
        return page.toString();
    }

    private void sample(String name, String help, String type, String value, String... labels) {
        StringBuilder family = families.computeIfAbsent(
                name,
                _ -> new StringBuilder("# HELP ")
                        .append(name)
                        .append(' ')
                        .append(escaped(help))
                        .append("\n# TYPE ")
                        .append(name)
                        .append(' ')
                        .append(type)
                        .append('\n'));
        family.append(name);
        for (int index = 0; index + 1 < labels.length; index += 2) {
            family.append(index == 0 ? '{' : ',')
                    .append(labels[index])
                    .append("=\"")
                    .append(escaped(labels[index + 1]).replace("\"", "\\\""))
                    .append('"');
        }
        family.append(labels.length > 1 ? "} " : " ").append(value).append('\n');
    }

    /** Whole numbers without a fraction, so that byte counts read as such. */
    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e18
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }
}
