package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sliding windows and states of Mamba as SGLang 0.5.23 has them: the files were written by
 * {@code tidemark-bench/sglang/record_components.py}, which describes their lines.
 */
class RecordedComponentsTest {
    private static final int CASES_MIN = 40;
    private static final int CALLS_MIN = 8000;

    @ParameterizedTest
    @ValueSource(strings = {"windows.txt.gz", "states.txt.gz"})
    void everyRecordedCallIsAnsweredAlike(String file) throws IOException {
        int cases = 0;
        int calls = 0;
        try (BufferedReader lines = open(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                cases++;
                String start = line;
                RecordedComponents tree = RecordedComponents.begin(start);
                for (line = lines.readLine(); !line.equals("E"); line = lines.readLine()) {
                    calls++;
                    List<String> parts = List.of(line.split(" ?\\| ?", -1));
                    assertThat(tree.call(parts.get(0), parts.size() > 2 ? parts.get(2) : parts.get(1)))
                            .as("case '%s', call %d: %s", start, calls, line)
                            .isEqualTo(parts.get(1));
                }
                tree.requireEverythingBack();
            }
        }
        assertThat(cases).isGreaterThanOrEqualTo(CASES_MIN);
        assertThat(calls).isGreaterThanOrEqualTo(CALLS_MIN);
    }

    private static BufferedReader open(String file) throws IOException {
        return new BufferedReader(new InputStreamReader(
                new GZIPInputStream(
                        Objects.requireNonNull(RecordedComponentsTest.class.getResourceAsStream(file), file)),
                StandardCharsets.UTF_8));
    }
}
