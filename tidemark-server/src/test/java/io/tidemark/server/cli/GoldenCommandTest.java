package io.tidemark.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.SharedData;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class GoldenCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void printsOneLineAFileAndSucceedsWhenAllAreEqual() {
        String first =
                SharedData.require("golden/prefix/extra_slru3_s1_p4.jsonl.gz").toString();
        String second =
                SharedData.require("golden/prefix/events_lru_p4.jsonl.gz").toString();
        assertThat(run("golden", first, second)).isZero();
        assertThat(out.toString().lines())
                .containsExactly(first + " ops=1550 mismatches=0", second + " ops=823 mismatches=0");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void namesTheFirstDifferenceAndFails() throws IOException {
        Path file = Files.write(
                folder.resolve("wrong.jsonl"),
                List.of(
                        "{\"hdr\":{\"fmt\":1,\"kind\":\"full\",\"policy\":\"lru\",\"page\":1,\"cap\":400}}",
                        "{\"t\":\"evi\",\"x\":1,\"r\":{\"ev\":5,\"v\":[],\"s\":[0,0,0,0]}}",
                        "{\"end\":1}"));
        assertThat(run("golden", file.toString())).isEqualTo(1);
        assertThat(out.toString().lines()).containsExactly(file + " ops=1 mismatches=1");
        assertThat(err.toString()).contains("first difference in line 2, case 1, call 1 (Evict)", "ev=5", "ev=0");
    }

    @Test
    void aFileThatIsNoRecordingFailsAndTheOthersAreStillReplayed() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "hello\n");
        Path missing = folder.resolve("missing.jsonl");
        String good = SharedData.require("golden/prefix/events_lru_p4.jsonl.gz").toString();
        assertThat(run("golden", text.toString(), missing.toString(), good)).isEqualTo(1);
        assertThat(out.toString().lines()).hasSize(1);
        assertThat(err.toString()).contains(text + ", line 1: ", "cannot read " + missing);
    }

    @Test
    void cutGzipTextFailsByLineAndTheOthersAreStillReplayed() throws IOException {
        Path whole = SharedData.require("golden/prefix/events_lru_p4.jsonl.gz");
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = Files.write(folder.resolve("cut.jsonl.gz"), Arrays.copyOf(bytes, bytes.length / 2));
        assertThat(run("golden", cut.toString(), whole.toString())).isEqualTo(1);
        assertThat(out.toString().lines()).containsExactly(whole + " ops=823 mismatches=0");
        assertThat(err.toString())
                .containsPattern("cannot replay " + cut + ", line \\d+: the gzip text is cut short, expected");
    }

    @Test
    void aCutLineIsSaidPlainlyAndIsAnObjectInJson() throws IOException {
        Path cut = Files.writeString(folder.resolve("cut.jsonl"), "{\"hdr\":{\"fmt\":1,\"ops\":[1,2");
        assertThat(run("golden", "--json", cut.toString())).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("tidemark: cannot replay " + cut + ", line 1: no JSON: ")
                .doesNotContain("REDACTED");
        assertThat(out.toString()).startsWith("{\"file\":\"" + cut).contains("\"error\":\"cannot replay ");
    }

    private int run(String... arguments) {
        CommandLine line = Commands.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
