package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecencyProbeTest {
    @TempDir
    private Path folder;

    @Test
    void whatCannotBeDoneIsSaidWithTheFolderAndNotWithAScratchFile() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        RecencyProbe.Result result = RecencyProbe.probe(file, "0706");
        assertThat(result.source()).isEqualTo(RecencySource.UNKNOWN);
        assertThat(result.missing().orElseThrow())
                .startsWith("cannot create files in " + file + " (")
                .doesNotContain("0706");
    }

    @Test
    void whereEverythingCanBeDoneNothingIsMissingAndNothingStays() throws IOException {
        assertThat(RecencyProbe.probe(folder, "0706").missing()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }
}
