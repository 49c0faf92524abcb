package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.TierPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/configuration.md shows as a file is taken as one. */
class DocsExamplesTest {
    private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(.*?)```");
    private static final Pattern JSON = Pattern.compile("(?s)```json\n(.*?)```");

    @TempDir
    private Path folder;

    private static List<String> examples(Pattern fence) throws Exception {
        Path root = Path.of(Optional.ofNullable(System.getenv("TIDEMARK_ROOT")).orElse(".."));
        String page = Files.readString(root.resolve("docs/configuration.md"));
        return fence.matcher(page)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    @Test
    void everyFileOfSettingsIsUnderstood() throws Exception {
        List<String> files = examples(YAML);
        assertThat(files).hasSizeGreaterThan(1);
        for (String text : files) {
            Path file = Files.writeString(folder.resolve("c.yaml"), text);
            assertThat(Effective.resolve(Optional.of(file), Map.of(), Map.of())
                            .config()
                            .tiers()
                            .backends())
                    .as(text)
                    .isNotEmpty();
        }
    }

    @Test
    void everyPolicyFileOfUmbpIsUnderstood() throws Exception {
        List<String> files = examples(JSON);
        assertThat(files).isNotEmpty();
        for (String text : files) {
            Path file = Files.writeString(folder.resolve("policy.json"), text);
            TierPlan tiers = Effective.resolve(
                            Optional.empty(),
                            Map.of(),
                            Map.of("umbp-policy", new Given(file.toString(), new Origin.Flag("--umbp-policy"))))
                    .config()
                    .tiers();
            assertThat(tiers.tiers()).as(text).hasSize(2);
        }
    }
}
