package io.tidemark.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.server.TidemarkServer;
import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.RespConnection;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** A flag wins over the environment, also where the rest of the command line is not understood. */
    @ParameterizedTest
    @CsvSource({
        "--bogus --log-format text, false",
        "--bogus --log-format=text, false",
        "--bogus --log-format=json, true",
        "--bogus, true"
    })
    void errorsOfTheCommandLineAreOfTheFormThatItAsksFor(String flags, boolean json) {
        CommandLine serve =
                Objects.requireNonNull(Commands.commandLine().getSubcommands().get("serve"));
        Map<String, String> environment = Map.of("TIDEMARK_LOG_FORMAT", "json");
        assertThat(ServeCommand.wantsJsonLog(serve, ("serve " + flags).split(" "), environment))
                .isEqualTo(json);
    }

    @Test
    void withoutACommandItShowsWhatThereIs() {
        assertThat(run()).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("Usage: tidemark", "serve", "demo", "replay", "completion", "bench");
    }

    @Test
    void aMistypedCommandIsAnsweredWithTheNearestOne() {
        assertThat(run("serv")).isEqualTo(2);
        assertThat(err.toString()).contains("unknown command 'serv'; expected one of ", "; did you mean 'serve'?");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "demo", "status", "doctor", "replay", "evict", "version", "completion", "bench"})
    void everyCommandHasHelpOnStdout(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString()).startsWith("Usage: tidemark " + command).contains("--json");
        assertThat(err.toString()).isEmpty();
    }

    /** Descriptions are formats: of a bare percent sign picocli warns on stderr. */
    private static void renderAll(CommandLine command) {
        command.usage(new PrintWriter(Writer.nullWriter()));
        command.getSubcommands().values().forEach(MainTest::renderAll);
    }

    @Test
    void noDescriptionHasABarePercentSign() {
        PrintStream before = System.err;
        ByteArrayOutputStream warnings = new ByteArrayOutputStream();
        System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
        try {
            renderAll(Commands.commandLine());
        } finally {
            System.setErr(before);
        }
        assertThat(warnings.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void resultsAreCompactJsonOneALine() {
        assertThat(run("config", "show", "--json", "--dram", "2Gi", "--state-dir", "/x"))
                .isZero();

        List<String> lines = out.toString().lines().toList();
        assertThat(lines)
                .allMatch(line -> line.startsWith("{\"key\":\"") && line.endsWith("\"}"))
                .contains("{\"key\":\"dram.capacity\",\"value\":\"2Gi\",\"from\":\"flag --dram\"}");
    }

    @Test
    void pathsAreShownWhereTheyLead() {
        Path here = Path.of("").toAbsolutePath();
        assertThat(run("config", "show", "--json", "--ssd", "1Gi", "--state-dir", "run/../state", "--record", "r.rec"))
                .isZero();
        assertThat(out.toString().lines())
                .contains(
                        "{\"key\":\"state-dir\",\"value\":\"%s\",\"given\":\"run/../state\",\"from\":\"flag --state-dir\"}"
                                .formatted(here.resolve("state")),
                        "{\"key\":\"ssd.directories\",\"value\":\"%s\",\"from\":\"default\"}"
                                .formatted(here.resolve("state/ssd")),
                        "{\"key\":\"redis.socket\",\"value\":\"%s\",\"from\":\"default\"}"
                                .formatted(here.resolve("state/redis.sock")),
                        "{\"key\":\"record.file\",\"value\":\"%s\",\"given\":\"r.rec\",\"from\":\"flag --record\"}"
                                .formatted(here.resolve("r.rec")));
        out.getBuffer().setLength(0);
        assertThat(run("config", "show", "--record", "r.rec")).isZero();
        assertThat(out.toString())
                .contains("record.file:             " + here.resolve("r.rec") + " # flag --record, given as r.rec\n");
    }

    @Test
    void aBadSettingIsAUsageErrorThatNamesTheFlag() {
        assertThat(run("serve", "--dram", "lots")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("tidemark: flag --dram: dram.capacity: 'lots' is no size; expected bytes, or"
                        + " for example 64Mi or 16Gi\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "serve --drm 4Gi | unknown option '--drm'; did you mean '--dram'?",
                "serve --dram-capacity=4Gi | unknown option '--dram-capacity'; did you mean '--dram'?",
                "serve --port 1 | unknown option '--port'",
                "serve --dram=4Gi extra | unexpected argument 'extra'; expected options only",
                "serve --dram | option '--dram' has no value; expected SIZE",
                "serve --dram 1Gi --dram 2Gi | option '--dram' is given twice; expected it once",
                "replay x --simulat | unknown option '--simulat'; did you mean '--simulate'?",
                "replay --simulate | TRACE is missing",
                "evict | KEY is missing",
                "config shw | unknown command 'shw'; expected one of show, validate; did you mean 'show'?",
                "config | a command is missing; expected one of show, validate",
                "bench resp --blocks=4 x | the benchmarks run from a checkout: ./tidemark bench",
                "status --url x | --url 'x' is no admin address; expected http://HOST:PORT",
            })
    void aMistakeIsToldInOneLineWithWhatWasExpected(String arguments, String text) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("tidemark: " + text + "\nTry 'tidemark ");
        assertThat(err.toString().lines()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dram: {capacity: 16gi} | dram.capacity: '16gi' is no size; expected bytes, or for example 64Mi or 16Gi; did you mean '16Gi'?",
                "dram: {capacity: 1GB, page: ٤Ki} | dram.page: '٤Ki' is no size; expected bytes, or for example 64Mi or 16Gi",
                "dram: {high-mark: 0x1p-1} | dram.high-mark: '0x1p-1' is no share; expected a share above 0 and up to 1, for example 0.9 or 90%",
                "dram: {high-mark: 0.9f} | dram.high-mark: '0.9f' is no share; expected a share above 0 and up to 1, for example 0.9 or 90%",
                "dram: {high-mark: NaN} | dram.high-mark: 'NaN' is no share; expected a share above 0 and up to 1, for example 0.9 or 90%",
                "pool: {full-waiters: 010} | pool.full-waiters: '010' is no number; expected a whole number from 0 to 1000000",
                "pool: {full-waiters: ١} | pool.full-waiters: '١' is no number; expected a whole number from 0 to 1000000",
                "pool: {full-waiters: 99999999999} | pool.full-waiters: 99999999999 is out of range; expected a whole number from 0 to 1000000",
                "log: {level: WARN} | log.level: 'WARN' is not known; expected one of error, warn, info, debug, trace; did you mean 'warn'?",
                "Dram: {capacity: 1Gi} | unknown key 'Dram'; did you mean 'dram'?",
                "redis: {socket: \"a\\0b\"} | redis.socket: 'a\\0b' is no path; expected one without a zero byte",
                "umbp-policy: \"a\\0b\" | umbp-policy: 'a\\0b' is no path; expected one without a zero byte",
                "redis: {listeners: [{socket: \"a\\0b\"}]} | redis.listeners: 'a\\0b' is no path; expected one without a zero byte",
            })
    void aValueThatWasNotMeantSoIsRefusedWithItsLine(String yaml, String problem) throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), "# settings\n" + yaml + "\n");
        assertThat(run("config", "validate", file.toString())).isEqualTo(2);
        assertThat(err.toString()).isEqualTo(file + ":2: " + problem + "\n");
    }

    /** One of the two would be left out, and nobody would know which. */
    @Test
    void twoFilesOfSettingsAreAMistakeHoweverTheyAreGiven() throws Exception {
        String bad = Files.writeString(folder.resolve("bad.yaml"), "dram: {pgae: 4Ki}\n")
                .toString();
        String good = Files.writeString(folder.resolve("good.yaml"), "dram: {capacity: 1Gi}\n")
                .toString();
        assertMistake(
                "FILE '" + good + "' and --config are both given; expected one file of settings",
                "config",
                "validate",
                "--config",
                bad,
                good);
        assertMistake("FILE '" + bad + "' and --config are both given", "config", "validate", bad, "--config=" + good);
        assertMistake("unexpected argument '" + good + "'", "config", "validate", bad, good);
        for (String command : List.of("serve", "doctor", "config show", "config validate", "volume")) {
            assertMistake(
                    "option '--config' is given twice; expected it once",
                    (command + " --config " + bad + " --config " + good).split(" "));
        }
        for (String command : List.of("serve", "doctor", "config show")) {
            assertMistake("unexpected argument '" + good + "'", (command + " --config " + bad + " " + good).split(" "));
        }
    }

    @Test
    void theBenchmarksAreCompletedAndHintedAtLikeEveryCommand() {
        assertThat(run("completion")).isZero();
        assertThat(out.toString()).containsPattern("\"[^\"]* bench[^\"]*\"");
        assertThat(run("bensh")).isEqualTo(2);
        assertThat(err.toString()).contains("expected one of bench, completion, ", "; did you mean 'bench'?");
    }

    @Test
    void aFileThatIsNamedByNoPathIsAMistakeOfTheConfiguration() throws Exception {
        String problem = "flag --config: 'a\\0b' is no path; expected one without a zero byte";
        for (String command : List.of("serve", "config show", "config validate", "doctor")) {
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
            assertThat(run((command + " --config a\0b --state-dir " + folder).split(" ")))
                    .as(command)
                    .isEqualTo(command.equals("doctor") ? 1 : 2);
            assertThat(out + "" + err).as(command).contains(problem).doesNotContain("unexpected error", "Exception");
        }
        PlainFlags flags = PlainFlags.read(new String[] {"--config", "a\0b"}, 0).orElseThrow();
        assertThatThrownBy(() -> flags.effective(Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessage(problem);
        assertThatThrownBy(() -> new PlainFlags(Map.of(), Optional.empty(), false)
                        .effective(Map.of("TIDEMARK_CONFIG", "a\0b", "TIDEMARK_LOG_FORMAT", "json")))
                .hasMessage("variable TIDEMARK_CONFIG: 'a\\0b' is no path; expected one without a zero byte")
                .satisfies(e -> assertThat(((ConfigException) e).jsonLog()).isTrue());
    }

    @Test
    void anArgumentThatIsNoPathIsAMistakeOfTheCommandLine() {
        String none = "'a\\0b' is no path; expected one without a zero byte\nTry 'tidemark ";
        assertMistake("tidemark: option '--state-dir': " + none, "status", "--state-dir", "a\0b");
        assertMistake("tidemark: option '--config': " + none, "volume", "--config", "a\0b");
        assertMistake(none, "replay", "--simulate", "a\0b");
        assertMistake(none, "config", "validate", "a\0b");
    }

    @Test
    void aFileThatIsNoneOfSettingsIsNotReadToItsEnd() throws Exception {
        assertThat(run("config", "validate", "/dev/zero")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        "cannot read configuration file /dev/zero: it is longer than 1Mi; expected a YAML file of settings\n");
    }

    @Test
    void aSizeWithoutUnitIsAnsweredWithWhatWasProbablyMeant() {
        assertThat(run("config", "show", "--dram", "16")).isEqualTo(2);
        assertThat(err.toString()).contains("'16' is out of range; expected 1Mi to ", "; did you mean 16Gi?");
    }

    @Test
    void validateNamesEveryProblemAndFails() throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), "dram: {pgae: 4Ki}\nhttp: {port: 70000}\n");

        assertThat(run("config", "validate", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains(file + ":1: unknown key 'dram.pgae'; did you mean 'dram.page'?")
                .contains(file + ":2: http.port: 70000 is out of range");
        assertThat(run("config", "validate", "--json", file.toString())).isEqualTo(2);
        assertThat(out.toString()).contains("\"valid\":false");
    }

    @Test
    void impossibleSettingsGetTheSameAnswerFromValidateShowAndServe() throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), "pool:\n  max-value: 1Gi\n  stalled: 0s\n");
        String tooLarge = file + ":2: pool.max-value: '1Gi' is out of range; expected 1 to 512Mi";
        String zero = file + ":3: pool.stalled: '0s' is out of range; expected 1ms to 24h";

        for (List<String> command : List.of(
                List.of("config", "validate", file.toString()),
                List.of("config", "show", "--config", file.toString()),
                List.of("serve", "--config", file.toString()))) {
            err.getBuffer().setLength(0);
            assertThat(run(command.toArray(String[]::new))).as("%s", command).isEqualTo(2);
            assertThat(err.toString()).as("%s", command).contains(tooLarge, zero);
        }
    }

    @Test
    void aVolumeOfNoPathIsAMistakeToo() {
        assertThat(run("volume", "--pvc-mount-path", "a\0b", "--cache-directory", "c\0", "--log-file-path", "d\0"))
                .isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        "tidemark: --pvc-mount-path='a\0b': expected a path in the characters of this locale",
                        "tidemark: --cache-directory='c\0': expected a path in the characters of this locale",
                        "tidemark: --log-file-path='d\0': expected a path in the characters of this locale");
    }

    @Test
    void aSecretIsReadOnceAndNeverEndlessly() throws Exception {
        assertThat(run("config", "validate", "--password-file", "/dev/zero", "--state-dir", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("flag --password-file: redis.password-file: /dev/zero is larger than 4096 bytes;"
                        + " expected one line\n");
    }

    @Test
    void withoutAServerStatusAndEvictFailAndSayHowToFindOne() {
        String state = folder.resolve("none").toString();

        assertThat(run("status", "--state-dir", state)).isEqualTo(1);
        assertThat(run("evict", "key", "--state-dir", state)).isEqualTo(1);
        assertThat(err.toString()).contains("no server runs with state directory " + state);
        assertThat(run("status", "--url", "http://127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString()).contains("no server answers at http://127.0.0.1:1/");
    }

    @Test
    void addressesAndKeysThatAreNoneAreMistakesOfTheCommandLine() {
        String state = folder.resolve("none").toString();

        assertMistake(
                "--url 'http://localhost:99999': 99999 is no port; expected 1 to 65535",
                "status",
                "--url",
                "http://localhost:99999");
        assertMistake("--url 'http://h:0': 0 is no port", "evict", "k", "--url", "http://h:0");
        assertMistake("is no admin address; expected http://HOST:PORT", "status", "--url", "redis://127.0.0.1:1");
        assertMistake(
                "--hex 'zz' is no key in hex digits; expected two for each byte",
                "evict",
                "--hex",
                "zz",
                "--state-dir",
                state);
        assertMistake("--hex '6' is no key in hex digits", "evict", "--hex", "6", "--state-dir", state);
        assertMistake("KEY is empty", "evict", "", "--state-dir", state);
    }

    private void assertMistake(String said, String... command) {
        err.getBuffer().setLength(0);
        assertThat(run(command)).as("%s", List.of(command)).isEqualTo(2);
        assertThat(err.toString()).contains(said).doesNotContain("no server runs");
    }

    @Test
    void aServersRefusalSaysWhatWasMissingAndItsStatusHowOftenClientsHit() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "secret");
        TidemarkConfig config = Effective.resolve(
                        Optional.empty(),
                        Map.of(),
                        Map.of(
                                "state-dir", flag(folder.resolve("s")),
                                "dram.capacity", flag("16Mi"),
                                "http.token-file", flag(token),
                                "redis.port", flag("0"),
                                "http.port", flag("0")))
                .config();
        try (TidemarkServer server = TidemarkServer.start(config, "test", () -> false)) {
            String url = server.endpoints().http();

            assertThat(run("status", "--url", url)).isEqualTo(1);
            assertThat(err.toString()).contains("bearer token missing or wrong; expected --http-token-file FILE");
            assertMistake(
                    "no tier 'nope'; expected one of dram",
                    "evict",
                    "k",
                    "--tier",
                    "nope",
                    "--url",
                    url,
                    "--http-token-file",
                    token.toString());
            assertHitRate("nothing was asked for yet", url, token);
            Endpoint socket =
                    new Endpoint.Unix(Path.of(server.endpoints().sockets().getFirst()));
            try (RespConnection client = RespConnection.open(socket, 64, 10_000)) {
                client.call("SET", "k", "v");
                client.call("MGET", "k", "k", "none");
            }
            assertHitRate("66.7% of 3 keys asked for were there", url, token);
        }
    }

    private void assertHitRate(String text, String url, Path token) {
        assertThat(run("status", "--url", url, "--http-token-file", token.toString()))
                .isZero();
        assertThat(out.toString()).contains("\nhits    " + text + "\n");
    }

    private static Given flag(Object value) {
        return new Given(value.toString(), new Origin.Flag("test"));
    }

    @Test
    void aReplayThatCannotBeIsAUsageErrorAndABrokenTraceIsNamed() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.jsonl"), "");
        Path broken = Files.writeString(folder.resolve("broken.jsonl.gz"), "no gzip");
        List<String> rest = List.of("--against", "redis://127.0.0.1:1", "--block-bytes", "4Ki");

        assertThat(run("replay", empty.toString(), "--against", "/s", "--block-bytes", "0"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("blocks of 0 bytes; expected 8 bytes to 64 MiB");
        assertThat(run(with(rest, "replay", empty.toString()))).isEqualTo(2);
        assertThat(err.toString()).contains(empty + ": holds no request");
        assertThat(run(with(rest, "replay", broken.toString()))).isEqualTo(2);
        assertThat(err.toString()).contains(broken + ": is not packed; expected a gzip file");
    }

    private static String[] with(List<String> rest, String... first) {
        return Stream.concat(Stream.of(first), rest.stream()).toArray(String[]::new);
    }

    @Test
    void completionOffersCommandsFlagsAndWordsToBash() throws Exception {
        Path script = folder.resolve("completion");
        assertThat(run("completion")).isZero();
        Files.writeString(script, out.toString());
        String ask = "source %s; compopt() { :; }; COMP_WORDS=(tidemark %s); COMP_CWORD=$((${#COMP_WORDS[@]}-1));"
                + " _complete_tidemark; echo \"${COMPREPLY[@]}\"";

        assertThat(bash(ask.formatted(script, "ser"))).isEqualTo("serve");
        assertThat(bash(ask.formatted(script, "doc"))).isEqualTo("doctor");
        assertThat(bash(ask.formatted(script, "serve --umbp"))).isEqualTo("--umbp-policy");
        assertThat(bash(ask.formatted(script, "serve --policy fi"))).isEqualTo("fifo filo");
        assertThat(bash(ask.formatted(script, "config val"))).isEqualTo("validate");
    }

    private static String bash(String script) throws Exception {
        Process process = new ProcessBuilder("bash", "-c", script)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }

    @Test
    void completionKnowsTheCommands() {
        assertThat(run("completion")).isZero();
        assertThat(out.toString()).contains("complete -F _complete_tidemark", "serve", "--dram");
    }

    @Test
    void aCommandBelowVolumeIsNoEvictorWhereverItStands() {
        assertThat(Main.isEvictor("volume")).isTrue();
        assertThat(Main.isEvictor("volume", "--pvc-mount-path", "/kv")).isTrue();
        for (String below : Main.BELOW_VOLUME) {
            assertThat(Main.isEvictor("volume", below)).as(below).isFalse();
            assertThat(Main.isEvictor("volume", "--pvc-mount-path", "/kv", below))
                    .as(below)
                    .isFalse();
        }
        CommandLine volume =
                Objects.requireNonNull(Commands.commandLine().getSubcommands().get("volume"));
        assertThat(volume.getSubcommands()).containsOnlyKeys(Main.BELOW_VOLUME.toArray(String[]::new));
    }

    private int run(String... args) {
        CommandLine line = Commands.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(args);
    }
}
