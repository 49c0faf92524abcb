package io.tidemark.server.metrics;

import io.tidemark.core.pool.CounterVisitor;
import java.util.Map;
import java.util.TreeMap;

/** Keeps the counters it is shown, by name and by the value of one label, summed over all others. */
final class Totals implements CounterVisitor {
    /** Labels that say what became of something: the ones worth telling apart in a summary. */
    private static final String[] KINDS = {"answer", "reason", "outcome"};

    private final Map<String, Map<String, Long>> values = new TreeMap<>();

    @Override
    public void counter(String name, String help, long value, String... labels) {
        values.computeIfAbsent(name, _ -> new TreeMap<>()).merge(kind(labels), value, Long::sum);
    }

    @Override
    public void gauge(String name, String help, double value, String... labels) {
        // a summary tells what moved; levels come from the pool's status
    }

    private static String kind(String... labels) {
        for (int index = 0; index + 1 < labels.length; index += 2) {
            for (String kind : KINDS) {
                if (labels[index].equals(kind)) {
                    return labels[index + 1];
                }
            }
        }
        return "";
    }

    /** Growth of a counter since an earlier look, over all its kinds. */
    long since(Totals before, String name) {
        return kindsSince(before, name).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Growth of a counter since an earlier look by kind; kinds that did not grow are left out. */
    Map<String, Long> kindsSince(Totals before, String name) {
        Map<String, Long> grown = new TreeMap<>();
        Map<String, Long> then = before.values.getOrDefault(name, Map.of());
        values.getOrDefault(name, Map.of()).forEach((kind, now) -> {
            long growth = now - then.getOrDefault(kind, 0L);
            if (growth != 0) {
                grown.put(kind, growth);
            }
        });
        return grown;
    }
}
