package io.tidemark.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.SharedData;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReplaySimulateTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void jsonHasOneObjectAPolicyAndSizeWithTheRecordedIntegers() throws IOException {
        Path trace = SharedData.require("traces/conversation_trace.jsonl.gz");
        int code = run(trace.toString(), "--simulate", "--policy", "lru,lru+np", "--blocks", "5%", "--json");
        assertThat(code).isZero();
        List<JsonNode> objects = objects();
        assertThat(objects).hasSize(2);
        JsonNode golden = JSON.readTree(Files.readString(SharedData.require("golden/replay/conversation.json")))
                .get("results");
        for (JsonNode object : objects) {
            assertThat(object.get("cpu_seconds").asDouble()).isBetween(1e-4, 100.0);
            JsonNode expected = golden.get(object.get("policy").asString()).get("5%");
            for (String name : List.of("capacity", "prefix_hits", "block_hits", "inserts", "evictions")) {
                assertThat(object.get(name).asLong())
                        .as("%s of %s", name, object)
                        .isEqualTo(expected.get(name).asLong());
            }
        }
    }

    @Test
    void theTableHasARowAPolicyAndSize() throws IOException {
        assertThat(run(smallTrace(), "--simulate", "--policy", "lru,opt", "--blocks", "2,4"))
                .isZero();
        assertThat(out.toString().lines()).hasSize(5);
        assertThat(out.toString()).contains("prefix hits").contains("opt");
    }

    @Test
    void marksAndTiersAreModelledTogether() throws IOException {
        int code =
                run(smallTrace(), "--simulate", "--policy=lru+np", "--tiers=dram=2,ssd=4", "--marks=0.9:0.5", "--json");
        assertThat(code).as(err.toString()).isZero();
        JsonNode object = objects().getFirst();
        assertThat(object.get("policy").asString()).isEqualTo("tier:lru+np/lru+np/np");
        assertThat(object.get("marks").asString()).isEqualTo("0.9:0.5");
        assertThat(object.get("dram_hits").asLong() + object.get("ssd_hits").asLong())
                .isEqualTo(object.get("prefix_hits").asLong());
    }

    @Test
    void tiersHaveDefaultPoliciesAndAllThatTheyCanTake() throws IOException {
        assertThat(run(smallTrace(), "--simulate", "--tiers", "dram=2,ssd=4", "--json"))
                .as(err.toString())
                .isZero();
        assertThat(objects())
                .extracting(object -> object.get("policy").asString())
                .containsExactly("tier:lru/lru", "tier:lru+np/lru+np/np");
        assertThat(run(smallTrace(), "--simulate", "--tiers", "dram=2,ssd=4", "--policy", "all", "--json"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("tier:slru/slru").doesNotContain("tier:tide/tide");
    }

    @Test
    void whatTiersCannotTakeIsRefusedWithTheFormThatTheyCan() throws IOException {
        assertThat(run(smallTrace(), "--simulate", "--tiers", "dram=2,ssd=4", "--policy", "opt"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("unknown policy 'opt'").contains("UPPER/LOWER/np");
        assertThat(run(smallTrace(), "--simulate", "--tiers", "dram=2,ssd=4", "--blocks", "5"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--blocks is the size of one tier: leave out --tiers");
    }

    @Test
    void aPlotThatCannotBeWrittenIsRefusedBeforeTheSimulation() throws IOException {
        assertThat(run(
                        smallTrace(),
                        "--simulate",
                        "--plot",
                        folder.resolve("nope/x.svg").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("nope/x.svg: no directory " + folder.resolve("nope"));
        Path taken = Files.createDirectory(folder.resolve("taken.svg"));
        assertThat(run(smallTrace(), "--simulate", "--plot", taken.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("taken.svg: cannot be written");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aTraceThatIsNotThereIsSaidToBeMissing() {
        assertThat(run("/nope", "--simulate")).isEqualTo(1);
        assertThat(err.toString()).contains("replay of /nope: no such file or directory");
    }

    private Path packed(int cutBytes, int damagedAt) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Random random = new Random(7);
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            for (int line = 0; line < 2_000; line++) {
                out.write("{\"hash_ids\": [%d, %d]}\n"
                        .formatted(random.nextInt(1_000_000), random.nextInt(1_000_000))
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] whole = bytes.toByteArray();
        if (damagedAt > 0) {
            whole[damagedAt] ^= 0x55;
        }
        return Files.write(folder.resolve("t.jsonl.gz"), Arrays.copyOf(whole, whole.length - cutBytes));
    }

    /** Both modes say it in the same words, and that nothing could be made of the file is no failure of the server. */
    private void assertNotUnderstood(Path trace, String why) {
        for (List<String> mode : List.of(
                List.of("--simulate", "--policy", "lru"),
                List.of("--against", "redis://127.0.0.1:1", "--block-bytes", "4Ki"))) {
            err.getBuffer().setLength(0);
            assertThat(run(trace.toString(), mode.toArray(String[]::new)))
                    .as("%s", mode)
                    .isEqualTo(2);
            assertThat(err.toString()).as("%s", mode).startsWith("tidemark: " + trace + ": " + why);
            assertThat(err.toString().lines()).hasSize(1);
            assertThat(out.toString()).isEmpty();
        }
    }

    @Test
    void aTraceThatIsCutOffOrDamagedIsNamedWithWhatWasExpected() throws IOException {
        assertNotUnderstood(packed(3_000, 0), "the gzip file is cut off; expected a whole one, but it ends after ");
        assertNotUnderstood(packed(4, 0), "the gzip file is cut off; expected a whole one");
        assertNotUnderstood(packed(0, 9_000), "the gzip file is damaged; expected a whole one");
        assertNotUnderstood(
                Files.writeString(folder.resolve("plain.jsonl.gz"), "{\"hash_ids\": [1]}\n"),
                "is not packed; expected a gzip file, as the name says");
        assertNotUnderstood(
                Files.writeString(folder.resolve("empty.jsonl.gz"), ""), "is empty or cut off; expected a gzip file");
    }

    @Test
    void anEmptyTraceIsSaidToBeEmpty() throws IOException {
        for (String name : List.of("e.jsonl", "e.csv")) {
            assertNotUnderstood(
                    Files.writeString(folder.resolve(name), "\n\n"), "holds no request; expected at least one");
        }
    }

    @Test
    void whatBelongsToTheOtherModeOrToNoneIsRefusedInOneLine() throws IOException {
        assertRefused("expected --against URL, to replay against a server, or --simulate");
        assertRefused("--simulate is missing, whose options these are", "--marks", "0.9:0.7");
        assertRefused("--against is missing; expected --against URL", "--block-bytes", "4Ki");
        assertRefused("--block-bytes is missing; expected the length", "--against", "redis://127.0.0.1:1");
        assertRefused("options of --against and of --simulate at once", "--simulate", "--clients", "2");
        assertRefused(
                "option '--marks': marks 9.0:1.0 do not fit; expected 0 <= low < high <= 1",
                "--simulate",
                "--marks",
                "9:1");
        assertRefused(
                "option '--clients': 'x' is no number; expected a whole number",
                "--against",
                "redis://127.0.0.1:1",
                "--clients",
                "x");
    }

    private void assertRefused(String why, String... options) throws IOException {
        err.getBuffer().setLength(0);
        assertThat(run(smallTrace(), options)).as(why).isEqualTo(2);
        assertThat(err.toString()).startsWith("tidemark: " + why).endsWith("\nTry 'tidemark replay --help'.\n");
        assertThat(err.toString().lines()).hasSize(2);
    }

    @Test
    void aPlotIsDrawnBesideTheResults() throws IOException {
        Path plot = folder.resolve("curves.svg");
        assertThat(run(smallTrace(), "--simulate", "--policy", "all", "--plot", plot.toString()))
                .as(err.toString())
                .isZero();
        assertThat(plot).content().startsWith("<svg").contains(">opt<").contains("prefix miss ratio");
    }

    @Test
    void capacitiesInBytesGiveHitsByBlocksAndBytes() throws IOException {
        Path trace = Files.writeString(folder.resolve("sizes.csv"), "key,size\na,10\nb,1000\na,10\nb,1000\n");
        assertThat(run(trace.toString(), "--simulate", "--bytes", "1000,1010", "--policy", "lru", "--json"))
                .as(err.toString())
                .isZero();
        assertThat(objects())
                .extracting(object -> object.get("prefix_hits").asLong())
                .containsExactly(0L, 2L);
        assertThat(objects())
                .extracting(object -> object.get("prefix_hit_bytes").asLong())
                .containsExactly(0L, 1010L);
        out.getBuffer().setLength(0);
        assertThat(run(trace.toString(), "--simulate", "--bytes", "50%"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains("prefix hit bytes")
                .contains("lru+np")
                .doesNotContain("opt");
        assertThat(run(smallTrace(), "--simulate", "--bytes", "1Mi")).isEqualTo(2);
        assertThat(err.toString()).contains("no block has a size").contains("column 'size'");
        assertThat(run(smallTrace(), "--simulate", "--bytes", "1Mi", "--blocks", "5"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("leave one of them out");
        assertThat(run(trace.toString(), "--simulate", "--bytes", "50%", "--policy", "opt"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("opt and flat:belady are optima for blocks of one size only");
    }

    @Test
    void aPlotInPngHoldsTheSamePicture() throws IOException {
        Path plot = folder.resolve("curves.PNG");
        assertThat(run(smallTrace(), "--simulate", "--policy", "all", "--plot", plot.toString()))
                .as(err.toString())
                .isZero();
        BufferedImage picture = ImageIO.read(plot.toFile());
        assertThat(picture.getWidth()).isEqualTo(2020);
        assertThat(picture.getHeight()).isGreaterThanOrEqualTo(1360);
    }

    @Test
    void whatIsNotUnderstoodEndsInCodeTwoAndSaysWhatIs() throws IOException {
        assertThat(run(smallTrace(), "--simulate", "--policy", "lruu", "--blocks", "5%"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("unknown policy 'lruu'").contains("lru+np");
        assertThat(run(smallTrace(), "--simulate", "--blocks", "some")).isEqualTo(2);
        assertThat(err.toString()).contains("'some' is no cache size; expected a number of blocks");
        assertThat(run(smallTrace(), "--simulate", "--marks", "0.5:0.9")).isEqualTo(2);
        assertThat(err.toString()).contains("0 <= low < high <= 1");
        assertThat(run(
                        smallTrace(),
                        "--simulate",
                        "--plot",
                        folder.resolve("curves.jpg").toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("curves.jpg: curves are drawn as SVG or PNG, expected a name in .svg or .png");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aTraceThatIsNotUnderstoodEndsInCodeTwoAndNamesTheLine() throws IOException {
        Path trace = Files.writeString(folder.resolve("bad.jsonl"), "{\"hash_ids\": [1]}\n{\"hash_ids\": 7}\n");
        assertThat(run(trace.toString(), "--simulate")).isEqualTo(2);
        assertThat(err.toString()).contains("bad.jsonl:2:14: expected '['");
    }

    private int run(String trace, String... options) {
        List<String> arguments = new ArrayList<>(List.of("replay", trace));
        arguments.addAll(List.of(options));
        CommandLine line = Commands.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments.toArray(String[]::new));
    }

    private String smallTrace() throws IOException {
        return Files.writeString(folder.resolve("t.csv"), "a,b,c\na,b,d\na,b,c\ne,f\na,b,d\n")
                .toString();
    }

    private List<JsonNode> objects() {
        return out.toString().lines().map(JSON::readTree).toList();
    }
}
