package io.tidemark.server.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testing.SharedData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoldenReplayTest {
    private static final String HEADER =
            "{\"hdr\":{\"fmt\":1,\"kind\":\"full\",\"policy\":\"lru\",\"cfg\":null,\"session\":false,\"page\":1,\"cap\":400}}";
    private static final String INSERT =
            "{\"t\":\"ins\",\"n\":0,\"k\":[1,2,3],\"r\":{\"pl\":0,\"dup\":0,\"s\":[3,0,1,1]}}";
    private static final String END = "{\"end\":1,\"victims\":0}";

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "rebuildEachWalk={0}")
    @ValueSource(booleans = {false, true})
    void everyRecordedResultIsReproduced(boolean rebuildEachWalk) throws IOException, GoldenFormatException {
        List<Path> files;
        try (Stream<Path> all = Files.list(SharedData.require("golden/prefix"))) {
            files = all.filter(file -> file.toString().endsWith(".jsonl.gz"))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(84);
        for (Path file : files) {
            GoldenReport report = GoldenReplay.run(file, rebuildEachWalk);
            assertThat(report.firstMismatch()).as(file.toString()).isEmpty();
            assertThat(report.ops()).as(file.toString()).isPositive();
        }
    }

    @Test
    void aPlainFileIsReadToo() throws IOException, GoldenFormatException {
        GoldenReport report = GoldenReplay.run(file(HEADER, INSERT, END), false);

        assertThat(report.cases()).isEqualTo(1);
        assertThat(report.ops()).isEqualTo(1);
        assertThat(report.mismatches()).isZero();
    }

    @Test
    void aDifferentResultIsAMismatchThatIsNamed() throws IOException, GoldenFormatException {
        GoldenReport report = GoldenReplay.run(file(HEADER, INSERT.replace("\"pl\":0", "\"pl\":1"), END), false);

        assertThat(report.mismatches()).isEqualTo(1);
        assertThat(report.firstMismatch().orElseThrow())
                .startsWith("line 2, case 1, call 1 (Insert)")
                .contains("pl=1", "pl=0");
    }

    @Test
    void aCallThatFailsBreaksTheRestOfItsCase() throws IOException, GoldenFormatException {
        String unlock = "{\"t\":\"unl\",\"h\":7,\"r\":{\"s\":[0,0,0,0]}}";
        GoldenReport report =
                GoldenReplay.run(file(HEADER, unlock, INSERT, END.replace('1', '2'), HEADER, INSERT, END), false);

        assertThat(report.ops()).isEqualTo(3);
        assertThat(report.mismatches()).isEqualTo(2);
        assertThat(report.firstMismatch().orElseThrow()).contains("handle 7, which holds no lock");
    }

    @Test
    void filesThatAreNoRecordingsAreRefusedWithTheLine() throws IOException {
        assertRefused("line 1: ", "{\"hdr\":");
        assertRefused("line 1: format 2 is unknown, expected 1", HEADER.replace("\"fmt\":1", "\"fmt\":2"));
        assertRefused("line 1: unknown policy 'arc'", HEADER.replace("lru", "arc"));
        assertRefused("line 1: a call outside of a case", INSERT);
        assertRefused(
                "line 2: call 'foo' is unknown, expected one of ins, mat",
                HEADER,
                INSERT.replace("\"ins\"", "\"foo\""));
        assertRefused("line 2: field 'k' is missing", HEADER, INSERT.replace("\"k\"", "\"q\""));
        assertRefused("line 2: field 'r' is missing", HEADER, INSERT.replace("\"r\"", "\"q\""));
        assertRefused("line 2: token -3 is no unsigned 32-bit number", HEADER, INSERT.replace("2,3]", "2,-3]"));
        assertRefused("line 2: no object: expected {", HEADER, "17");
        assertRefused("line 2: field 'k' is no list", HEADER, INSERT.replace("[1,2,3]", "17"));
        assertRefused(
                "line 2: field 'n' is 9, expected a namespace, 0 to 3", HEADER, INSERT.replace("\"n\":0", "\"n\":9"));
        assertRefused("line 1: field 'page' is 0, expected", HEADER.replace("\"page\":1", "\"page\":0"));
        assertRefused(
                "line 1: field 'session' is 3, expected true or false",
                HEADER.replace("\"session\":false", "\"session\":3"));
        assertRefused(
                "line 1: write policy 'x' is unknown, expected one of",
                HEADER.replace("\"cap\"", "\"host\":{\"policy\":\"x\"},\"cap\""));
        assertRefused("line 3: the case ends after 1 calls, recorded are 2", HEADER, INSERT, END.replace('1', '2'));
        assertRefused("line 2: ends within a case", HEADER, INSERT);
        assertRefused("line 0: no case in it");
    }

    @Test
    void cutAndDamagedGzipTextIsRefusedWithTheLineWhereItEnds() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(String.join("\n", HEADER, INSERT, END, "").getBytes(StandardCharsets.UTF_8));
        }
        byte[] whole = packed.toByteArray();
        for (int length = 2; length < whole.length; length++) {
            Path cut = Files.write(folder.resolve("cut.jsonl.gz"), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> GoldenReplay.run(cut, false))
                    .as("the first %d bytes of %d", length, whole.length)
                    .isInstanceOf(GoldenFormatException.class)
                    .hasMessageContaining(cut + ", line ")
                    .hasMessageContaining("the gzip text is cut short, expected the rest of the recording");
        }
        whole[whole.length - 6] ^= 1;
        Path damaged = Files.write(folder.resolve("damaged.jsonl.gz"), whole);
        assertThatThrownBy(() -> GoldenReplay.run(damaged, false))
                .isInstanceOf(GoldenFormatException.class)
                .hasMessageContaining(damaged + ", line 4: the gzip text is damaged");
    }

    private void assertRefused(String message, String... lines) throws IOException {
        Path file = file(lines);
        assertThatThrownBy(() -> GoldenReplay.run(file, false))
                .isInstanceOf(GoldenFormatException.class)
                .hasMessageContaining(file + ", " + message);
    }

    private Path file(String... lines) throws IOException {
        return Files.write(folder.resolve("golden.jsonl"), List.of(lines));
    }
}
