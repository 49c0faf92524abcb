package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsDocsTest {
    @TempDir
    private Path folder;

    @Test
    void theCatalogueInTheDocsIsWhatAServerShows() throws Exception {
        Catalogue catalogue = new Catalogue();
        try (TidemarkServer server = TidemarkServer.start(
                Effective.resolve(Optional.empty(), Map.of(), flags()).config(), "test", () -> false)) {
            server.counters(catalogue);
        }
        GeneratedPart.assertEquals("docs/metrics.md", catalogue.table());
    }

    private Map<String, Given> flags() {
        Origin flag = new Origin.Flag("test");
        return Map.of(
                "state-dir", new Given(folder.resolve("state").toString(), flag),
                "dram.capacity", new Given("16Mi", flag),
                "ssd.capacity", new Given("64Mi", flag),
                "redis.port", new Given("0", flag),
                "http.port", new Given("0", flag),
                "record.file", new Given(folder.resolve("uses.rec").toString(), flag),
                "metrics.umbp-names", new Given("true", flag));
    }

    /** Notes names, kinds, labels and help. */
    private static final class Catalogue implements CounterVisitor {
        private final Map<String, String> kinds = new TreeMap<>();
        private final Map<String, Set<String>> labels = new TreeMap<>();

        @Override
        public void counter(String name, String help, long value, String... given) {
            assertThat(name).matches("(tidemark|mori_umbp)_[a-z0-9_]+_total");
            note(name, "counter", help, given);
        }

        @Override
        public void gauge(String name, String help, double value, String... given) {
            assertThat(name).matches("(tidemark|mori_umbp)_[a-z0-9_]+");
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

        String table() {
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
}
