package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The model of a rank directory: what {@code config.json} beside it says. */
class ModelNamesTest {
    @TempDir
    private Path cache;

    private Optional<String> of(String rankPath) {
        return new ModelNames(cache).of(rankPath.getBytes(StandardCharsets.UTF_8));
    }

    private void config(String folder, String text) throws IOException {
        Files.createDirectories(cache.resolve(folder));
        Files.writeString(cache.resolve(folder).resolve("config.json"), text);
    }

    @Test
    void aSimpleNameAndOneWithASlashAreThoseOfTheConfiguration() throws IOException {
        config("plain_0123456789ab", "{\"model_name\": \"plain\", \"tp_size\": 2}");
        config("org_m_0123456789ab", "{\"model_name\": \"org/m\"}");
        config("deeper/org_m_0123456789ab", "{\"model_name\": \"org/deeper\"}");
        assertThat(of("plain_0123456789ab_r0")).contains("plain");
        assertThat(of("org_m_0123456789ab_r0")).contains("org/m");
        assertThat(of("org_m_0123456789ab_r12")).contains("org/m");
        assertThat(of("deeper/org_m_0123456789ab_r1")).contains("org/deeper");
    }

    @Test
    void withoutARankSuffixThereIsNone() throws IOException {
        config("org_m_0123456789ab", "{\"model_name\": \"org/m\"}");
        config("org_m_r", "{\"model_name\": \"org/m\"}");
        assertThat(of("org_m_0123456789ab")).isEmpty();
        assertThat(of("org_m_0123456789ab_r")).isEmpty();
        assertThat(of("org_m_0123456789ab_rx")).isEmpty();
        assertThat(of("org_m_0123456789ab_r0/bf16")).as("suffix further up").isEmpty();
    }

    @Test
    void withoutAConfigurationThatSaysItThereIsNone() throws IOException {
        Files.createDirectories(cache.resolve("bare_0123456789ab"));
        config("broken_0123456789ab", "{\"model_name\": ");
        config("other_0123456789ab", "{\"name\": \"org/m\"}");
        config("number_0123456789ab", "{\"model_name\": 7}");
        Files.createDirectories(cache.resolve("folder_0123456789ab/config.json"));
        for (String model : new String[] {"missing", "bare", "broken", "other", "number", "folder"}) {
            assertThat(of(model + "_0123456789ab_r0")).as(model).isEmpty();
        }
    }

    @Test
    void aPathWithTooFewPartsHasNone() {
        assertThat(of("")).isEmpty();
        assertThat(of("_r0")).isEmpty();
        assertThat(of("r0")).isEmpty();
    }
}
