package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.CounterVisitor;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A table of the metrics that are shown to it: names, kinds, labels and help, for the docs. */
public final class MetricsCatalogue implements CounterVisitor {
    private final String prefix;
    private final Map<String, String> kinds = new TreeMap<>();
    private final Map<String, Set<String>> labels = new TreeMap<>();

    /** @param prefix what every name begins with, a regular expression */
    public MetricsCatalogue(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public void counter(String name, String help, long value, String... given) {
        assertThat(name).matches(prefix + "_[a-z0-9_]+_total");
        note(name, "counter", help, given);
    }

    @Override
    public void gauge(String name, String help, double value, String... given) {
        assertThat(name).matches(prefix + "_[a-z0-9_]+");
        note(name, "gauge", help, given);
    }

    private void note(String name, String kind, String help, String... given) {
        assertThat(help).as(name).isNotBlank();
        assertThat(given.length % 2).as(name).isZero();
        kinds.putIfAbsent(name, kind + " | " + help);
        Set<String> names = labels.computeIfAbsent(name, _ -> new LinkedHashSet<>());
        for (int index = 0; index < given.length; index += 2) {
            names.add(given[index]);
        }
    }

    /** The table, in Markdown. */
    public String table() {
        return kinds.entrySet().stream()
                .map(entry -> "| `%s` | %s | %s |\n"
                        .formatted(
                                entry.getKey(),
                                labels.getOrDefault(entry.getKey(), Set.of()).stream()
                                        .map(label -> "`" + label + "`")
                                        .collect(Collectors.joining(", ")),
                                entry.getValue()))
                .collect(Collectors.joining("", "| name | labels | kind | meaning |\n|---|---|---|---|\n", ""));
    }
}
