package io.tidemark.server;

import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsDocsTest {
    @TempDir
    private Path folder;

    @Test
    void theCatalogueInTheDocsIsWhatAServerShows() throws Exception {
        MetricsCatalogue catalogue = new MetricsCatalogue("(tidemark|mori_umbp)");
        try (TidemarkServer server = TidemarkServer.start(
                Effective.resolve(Optional.empty(), Map.of(), flags()).config(), "test", () -> false)) {
            server.counters(catalogue);
        }
        GeneratedPart.assertEquals("docs/metrics.md", "serve", catalogue.table());
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
}
