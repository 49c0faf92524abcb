package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.server.resp.Compat;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.RespListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EffectiveTest {
    @TempDir
    private Path folder;

    @Test
    void withoutAnythingTheDefaultsAreUsable() throws Exception {
        TidemarkConfig config =
                Effective.resolve(Optional.empty(), Map.of(), Map.of()).config();

        assertThat(config.tiers())
                .isEqualTo(new TierPlan(
                        List.of(new TierPlan.Tier(
                                "dram",
                                List.of(new TierPlan.Member(new TierPlan.Dram("dram0", 1L << 30, 4096), 1)),
                                0.9,
                                0.7,
                                List.of(),
                                Optional.empty(),
                                "lru+np")),
                        true));
        assertThat(config.redis().listeners())
                .containsExactly(
                        RespListener.of(new ListenAddress.Tcp("127.0.0.1", 6399, true)),
                        RespListener.of(
                                new ListenAddress.UnixSocket(config.stateDir().resolve("redis.sock"))));
    }

    @Test
    void anSsdTierIsAskedForBySizeOrByDirectory() throws Exception {
        assertThat(Effective.resolve(Optional.empty(), Map.of(), Map.of())
                        .config()
                        .tiers()
                        .ssd())
                .isEmpty();
        Path file = file("state-dir: /s\nssd: {directories: [/a, /b/../c], promote: copy, promote-hits: 2}\n");
        Effective byFile = Effective.resolve(Optional.of(file), Map.of(), Map.of());
        Effective bySize = Effective.resolve(
                Optional.empty(), Map.of("TIDEMARK_STATE_DIR", "/s", "TIDEMARK_SSD_CAPACITY", "1Gi"), Map.of());

        assertThat(byFile.config().tiers().tiers().getFirst().offloadTo()).containsExactly("ssd");
        assertThat(byFile.config().tiers().tiers().getLast())
                .isEqualTo(new TierPlan.Tier(
                        "ssd",
                        List.of(
                                new TierPlan.Member(
                                        new TierPlan.Ssd("ssd0", Path.of("/a"), 2L << 30, 4096), TierPlan.BY_CAPACITY),
                                new TierPlan.Member(
                                        new TierPlan.Ssd("ssd1", Path.of("/c"), 2L << 30, 4096), TierPlan.BY_CAPACITY)),
                        0.9,
                        0.7,
                        List.of(),
                        Optional.of(new TierPlan.Promotion(2, false)),
                        "lru+np"));
        assertThat(bySize.config().tiers().ssd())
                .containsExactly(new TierPlan.Ssd("ssd0", Path.of("/s/ssd"), 1L << 30, 4096));
    }

    @Test
    void settingsOfAnSsdTierThatThereIsNotAreRefused() throws Exception {
        Effective effective = Effective.resolve(Optional.empty(), Map.of("TIDEMARK_SSD_FRESH", "true"), Map.of());

        assertThatThrownBy(effective::config)
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "variable TIDEMARK_SSD_FRESH: ssd.fresh: has no effect without ssd.capacity;"
                                                + " expected --ssd SIZE too"));
    }

    @Test
    void flagsWinOverVariablesWinOverTheFile() throws Exception {
        Path file = file("dram: {capacity: 2Gi, page: 8Ki}\nredis: {port: 7001}\n");

        Effective effective = Effective.resolve(
                Optional.of(file),
                Map.of("TIDEMARK_REDIS_PORT", "7002", "TIDEMARK_HTTP_PORT", "7003"),
                Map.of("http.port", new Given("7004", new Origin.Flag("--http-port"))));

        assertThat(effective.given(Settings.DRAM_PAGE)).isEqualTo(new Given("8Ki", new Origin.File(file, 1)));
        assertThat(effective.given(Settings.REDIS_PORT))
                .isEqualTo(new Given("7002", new Origin.Variable("TIDEMARK_REDIS_PORT")));
        assertThat(effective.given(Settings.HTTP_PORT)).isEqualTo(new Given("7004", new Origin.Flag("--http-port")));
        assertThat(effective.config().http().movable()).isFalse();
        assertThat(effective.config().tiers().shrinkable()).isFalse();
    }

    @Test
    void everyProblemOfTheFileIsNamedWithItsLineAndTheNearestName() {
        Path file = file("""
                dram:
                  capcity: 3Gi
                  page: 4Kib
                redi: 4
                redis:
                  port: 6400
                  port: 6401
                log: hello
                """);

        assertProblems(file)
                .containsExactlyInAnyOrder(
                        file + ":2: unknown key 'dram.capcity'; did you mean 'dram.capacity'?",
                        file + ":3: dram.page: '4Kib' is no size; expected bytes, or for example 64Mi or 16Gi;"
                                + " did you mean '4KiB'?",
                        file + ":4: unknown key 'redi'; did you mean 'redis'?",
                        file + ":7: 'redis.port' is given twice; first at " + file + ":6",
                        file + ":8: 'log' is a group of settings; expected keys under it");
    }

    @Test
    void whatIsGivenTwiceOnOneLineIsToldWithItsColumns() {
        Path line = file("""
                log: {format: text, level: info, format: json}
                dram.page: 4Ki
                dram: {page: 8Ki}
                """);
        assertProblems(line)
                .containsExactlyInAnyOrder(
                        line + ":1: 'log.format' is given twice on this line, in columns 7 and 34",
                        line + ":3: 'dram.page' is given twice; first at " + line + ":2");
        Path tiers = file("{tiers: [{name: a, backends: [{dram: 1Gi}]}], tiers: [{name: b}]}\n");
        assertProblems(tiers).contains(tiers + ":1: 'tiers' is given twice on this line, in columns 2 and 47");
        Path listeners = file("redis: {listeners: [{port: 1, port: 2}]}\n");
        assertProblems(listeners)
                .containsExactly(
                        listeners + ":1: redis.listeners: 'port' is given twice on this line, in columns 22 and 31");
        assertProblems(file("redis: {listeners: 'port=1,port=2'}\n"))
                .singleElement()
                .asString()
                .contains("'port' of a listener is given twice; expected it once");
    }

    @Test
    void oneWrongValueHidesNoOther() {
        Path file = file("""
                pool:
                  max-value: 2Gi
                  full-wait: 20s
                  put-limit: 1s
                redis: {bind: 0.0.0.0, password-file: /nope/pw, tls-cert-file: /nope/crt}
                dram: {high-mark: 0.6, low-mark: 0.7, pgae: 4Ki}
                """);

        assertProblems(file)
                .containsExactly(
                        file + ":2: pool.max-value: '2Gi' is out of range; expected 1 to 512Mi",
                        file + ":3: pool.full-wait: 20s is too long beside pool.stalled of 30s (default): a put that"
                                + " waits would be cut off as stalled; expected at most half of that",
                        file + ":4: pool.put-limit: 1s is less than pool.stalled of 30s (default): a put would be"
                                + " dropped before it counts as stalled; expected at least that",
                        file + ":5: redis.password-file: cannot read /nope/pw: no such file or directory",
                        file + ":5: redis.tls-cert-file: cannot read /nope/crt: no such file or directory",
                        file + ":5: redis.tls-key-file: is not set; TLS needs redis.tls-cert-file and"
                                + " redis.tls-key-file",
                        file + ":6: unknown key 'dram.pgae'; did you mean 'dram.page'?",
                        file + ":6: dram.low-mark: 0.7 has to be below dram.high-mark (0.6, " + file + ":6)");
    }

    @Test
    void nothingIsSaidOfWhatFollowsFromAWrongValue() {
        Path file = file("pool: {max-value: 2Gi}\nssd: {read-memory: 1Mi}\ndram: {capcity: 16Gi}\n");
        assertProblems(file).noneMatch(problem -> problem.contains("does not hold the largest value"));
        assertProblems(file("dram: {capcity: 16Gi}\npool: {max-value: 512Mi}\n"))
                .hasSize(1);
        assertProblems(file("dram: {high-mark: 7, low-mark: 0.95}")).hasSize(1);
        assertProblems(file("pool: {stalled: soon, full-wait: 20s}")).hasSize(1);
        assertProblems(file("pool: {max-value: 512Mi}\ndram: [1\n")).hasSize(1);
    }

    @Test
    void noAddressIsListenedOnTwice() throws Exception {
        Path ports = file("redis: {port: 6477}\nhttp: {port: 6477}\n");
        assertProblems(ports)
                .containsExactly(ports + ":2: http.port: 127.0.0.1:6477 is asked for twice: port 6477 is that of"
                        + " redis.port (" + ports + ":1) too");
        assertProblems(file("redis: {port: 6477, listeners: [{port: 6477}, {socket: /s}, {socket: /s}]}"))
                .hasSize(2);
        assertProblems(file("redis: {port: 0}\nhttp: {port: 0}\n")).isEmpty();
        assertProblems(file("http: {port: 6399}")).as("the default moves").isEmpty();
        assertProblems(file("redis: {port: 6477}\nhttp: {port: 6477, bind: 127.0.0.2}\n"))
                .isEmpty();
        assertProblems(file("redis: {socket: /" + "x".repeat(122) + "}"))
                .singleElement()
                .asString()
                .contains("has 123 bytes; Linux takes 107 at most");
    }

    @Test
    void anSsdThatIsTooLargeForItsPagesIsToldByItsFlagWithWhatWouldDo() {
        assertThatThrownBy(() -> Effective.resolve(
                                Optional.empty(),
                                Map.of(),
                                Map.of("ssd.capacity", new Given("4Ti", new Origin.Flag("--ssd"))))
                        .config())
                .hasMessage("flag --ssd: ssd.capacity: 4Ti a directory is too much in pages of 4Ki; expected less than"
                        + " 4Ti, or ssd.page of 8Ki (--ssd-page)");
        assertProblems(file("ssd: {capacity: 4Ti, page: 8Ki}")).isEmpty();
        assertProblems(file("ssd: {capacity: 1Pi}"))
                .singleElement()
                .asString()
                .endsWith("1Pi a directory is too much in pages of 4Ki; expected less than 4Ti");
    }

    @Test
    void whatNamesAFileIsToldWhenThereIsNone() {
        assertThatThrownBy(() -> Effective.resolveNamed(
                        Optional.of(new Given("/nope.yaml", new Origin.Variable("TIDEMARK_CONFIG"))),
                        Map.of(),
                        Map.of()))
                .hasMessage("variable TIDEMARK_CONFIG: cannot read /nope.yaml: no such file");
        assertThatThrownBy(() -> Effective.resolve(
                        Optional.empty(),
                        Map.of(),
                        Map.of("umbp-policy", new Given("/nope.json", new Origin.Flag("--umbp-policy")))))
                .hasMessage("flag --umbp-policy: cannot read /nope.json: no such file");
    }

    @Test
    void bytesThatAreNoTextAreToldInOurWords() throws IOException {
        Path file = Files.write(folder.resolve("binary.yaml"), new byte[] {(byte) 0xa3, 0, 1, 2, (byte) 0xff});

        assertProblems(file).singleElement().asString().contains("no YAML: it is no text in UTF-8");
    }

    @Test
    void emptyVariablesAndWordsOfFlagsAreToldAsWarnings() throws Exception {
        Effective effective = Effective.resolve(
                Optional.empty(),
                Map.of(
                        "TIDEMARK_REDIS_PASSWORD_FILE", "",
                        "TIDEMARK_CONFIG", "",
                        "TIDEMARK_DRAM", "2Gi",
                        "TIDEMARK_HIGH", "0.9"),
                Map.of());

        assertThat(effective.warnings())
                .containsExactly(
                        "variable TIDEMARK_CONFIG is empty and counts as not set",
                        "variable TIDEMARK_DRAM names no setting; did you mean 'TIDEMARK_DRAM_CAPACITY'?",
                        "variable TIDEMARK_HIGH names no setting; did you mean 'TIDEMARK_DRAM_HIGH_MARK'?",
                        "variable TIDEMARK_REDIS_PASSWORD_FILE is empty and counts as not set");
    }

    @Test
    void aListOfListenersIsToldWithAllThatIsWrongWithIt() {
        assertThatThrownBy(() -> Effective.resolve(
                        Optional.empty(),
                        Map.of("TIDEMARK_REDIS_LISTENERS", "port=6400,compat=foo;sockt=/run/x;port=1,tls=maybe"),
                        Map.of()))
                .hasMessageContainingAll("'foo' is not known", "no 'sockt'", "'maybe' is no switch");
    }

    @Test
    void brokenYamlIsRefusedWithItsLine() {
        Path file = file("dram: [1\nredis: 2\n");

        assertProblems(file).anyMatch(problem -> problem.startsWith(file + ":") && problem.contains("no YAML"));
    }

    @Test
    void yamlOfAnotherVersionIsRefusedInWords() {
        Path file = file("%YAML 9.1\n---\ndram: 1Gi\n");

        assertProblems(file)
                .singleElement()
                .asString()
                .startsWith(file + ":1: ")
                .endsWith("no YAML: it is of version 9.1; expected 1.2");
    }

    @Test
    void aMissingFileIsRefused() {
        Path missing = folder.resolve("none.yaml");

        assertProblems(missing).containsExactly("cannot read configuration file " + missing + ": no such file");
    }

    @Test
    void anEmptyFileMeansTheDefaults() throws Exception {
        Path file = file("# nothing yet\n");

        assertThat(Effective.resolve(Optional.of(file), Map.of(), Map.of())
                        .config()
                        .tiers()
                        .dramBytes())
                .isEqualTo(1L << 30);
    }

    @Test
    void listenersAreReadFromTheFileAndFromText() throws Exception {
        Path file = file("""
                redis:
                  listeners:
                    - {port: 6400, compat: lmcache-resp}
                    - socket: /run/kv.sock
                """);
        List<RespListener> expected = List.of(
                new RespListener(new ListenAddress.Tcp("127.0.0.1", 6400), Compat.LMCACHE_RESP),
                RespListener.of(new ListenAddress.UnixSocket(Path.of("/run/kv.sock"))));

        Effective fromFile = Effective.resolve(Optional.of(file), Map.of(), Map.of());
        Effective fromText = Effective.resolve(
                Optional.empty(),
                Map.of("TIDEMARK_REDIS_LISTENERS", "port=6400,compat=lmcache-resp;socket=/run/kv.sock"),
                Map.of());

        assertThat(fromFile.config().redis().listeners()).containsAll(expected).hasSize(4);
        assertThat(fromText.config().redis().listeners()).containsAll(expected).hasSize(4);
    }

    @Test
    void aListenerWithAnUnknownPartIsRefused() {
        assertProblems(file("redis: {listeners: [{prt: 3}]}"))
                .singleElement()
                .asString()
                .contains("a listener has no 'prt'")
                .contains("did you mean 'port'?");
    }

    @Test
    void everyWrongListenerIsNamedWithItsOwnLine() {
        Path file = file("""
                redis:
                  listeners:
                    - {port: 99999}
                    - prt: 1
                    - 5
                    - port: [1]
                    - {port: 6400}
                log: {level: loud}
                """);

        String key = "redis.listeners: ";
        assertProblems(file)
                .containsExactly(
                        file + ":3: " + key + "99999 is out of range; expected a whole number from 0 to 65535",
                        file + ":4: " + key
                                + "a listener has no 'prt'; expected bind, port, socket, compat or tls; did you"
                                + " mean 'port'?",
                        file + ":5: " + key + "has to be an object, for example {port: 6400}",
                        file + ":6: " + key + "'port' has no usable value; expected one value",
                        file + ":8: log.level: 'loud' is not known; expected one of error, warn, info, debug, trace");
    }

    @Test
    void aTabIsNamedWithTheLineItStandsOn() {
        Path file = file("dram:\n\tcapacity: 1Gi\n");

        assertProblems(file)
                .singleElement()
                .asString()
                .startsWith(file + ":2: no YAML: found character '\\t(TAB)'")
                .contains("Do not use");
    }

    @Test
    void marksTheWrongWayRoundAreRefused() {
        assertProblems(file("dram: {high-mark: 0.5, low-mark: 60%}"))
                .singleElement()
                .asString()
                .contains("dram.low-mark: 0.6 has to be below dram.high-mark (0.5");
    }

    @Test
    void durationsAreBetweenNothingOrAMillisecondAndADay() {
        for (String key : List.of("full-wait", "stalled")) {
            assertProblems(file("pool: {" + key + ": 0ms}"))
                    .singleElement()
                    .asString()
                    .endsWith(":1: pool." + key + ": '0ms' is out of range; expected 1ms to 24h");
        }
        assertProblems(file("pool: {full-wait: 999999999h}"))
                .singleElement()
                .asString()
                .contains("'999999999h' is out of range");
        assertProblems(file("pool: {lease: 25h}"))
                .singleElement()
                .asString()
                .contains("pool.lease: '25h' is out of range; expected 0ms to 24h");
        assertProblems(file("pool: {lease: 0s, full-wait: 12h, stalled: 24h}")).isEmpty();
    }

    @Test
    void aPutDoesNotWaitSoLongThatItCountsAsStalled() throws Exception {
        assertProblems(file("pool: {full-wait: 6s, stalled: 10s}"))
                .singleElement()
                .asString()
                .contains(":1: pool.full-wait: 6s is too long beside pool.stalled of 10s (");
        assertProblems(file("pool: {full-wait: 6s, stalled: 10s, on-full: reject}"))
                .isEmpty();
        Path file = file("pool: {stalled: 100ms}");
        assertThat(Effective.resolve(Optional.of(file), Map.of(), Map.of())
                        .config()
                        .limits()
                        .fullWaitMillis())
                .isEqualTo(50);
    }

    @Test
    void aPutMayTakeAtLeastAsLongAsItTakesToCountAsStalled() throws Exception {
        assertProblems(file("pool: {put-limit: 5s, stalled: 10s}"))
                .singleElement()
                .asString()
                .contains(":1: pool.put-limit: 5s is less than pool.stalled of 10s (");
        Path file = file("pool: {stalled: 12h}");
        assertThat(Effective.resolve(Optional.of(file), Map.of(), Map.of())
                        .config()
                        .limits()
                        .putLimitMillis())
                .isEqualTo(12L * 3_600_000);
    }

    @Test
    void directoriesOfBlocksLieBesideEachOther() throws Exception {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        for (Path other : List.of(link, real.resolve("inside"), link.resolve("a/b"), folder)) {
            assertProblems(file("ssd: {directories: [" + real + ", " + other + "]}"))
                    .singleElement()
                    .asString()
                    .contains(":1: ssd.directories: " + other + " is, holds, or lies in " + real);
        }
        assertProblems(file("ssd: {directories: [" + real + ", " + real + "2]}"))
                .isEmpty();
    }

    @Test
    void aValueLargerThanTheMemoryIsRefusedAndTheDefaultShrinks() throws Exception {
        Path file = file("dram: {capacity: 16Mi}\n");
        assertProblems(file("dram:\n  capacity: 16Mi\npool:\n  max-value: 17Mi\n"))
                .singleElement()
                .asString()
                .contains(
                        ":4: pool.max-value: 17Mi would be evicted as soon as it is stored; expected at most 14744Ki,")
                .contains(":2)");
        assertThat(Effective.resolve(Optional.of(file), Map.of(), Map.of())
                        .config()
                        .limits()
                        .maxValueBytes())
                .isEqualTo(14_744 << 10);
        TidemarkConfig large =
                Effective.resolve(Optional.empty(), Map.of(), Map.of()).config();
        assertThat(large.limits().maxValueBytes()).isEqualTo(64 << 20);
        assertThat(large.withTiers(large.tiers().withDramBytes(16 << 20))
                        .limits()
                        .maxValueBytes())
                .isEqualTo(14_744 << 10);
    }

    @Test
    void moreMemoryThanThePagesCanNumberIsRefused() {
        assertProblems(file("dram: {capacity: 4Ti}"))
                .singleElement()
                .asString()
                .contains("dram.capacity: 4Ti is too much in pages of 4Ki; expected less than 4Ti, or dram.page of 8Ki")
                .contains("--dram-page");
        assertProblems(file("dram: {capacity: 4Ti, page: 8Ki}")).isEmpty();
    }

    @Test
    void aSettingThatIsGivenAndEmptyIsRefused() {
        assertProblems(file("dram: {policy: ''}"))
                .singleElement()
                .asString()
                .contains(":1: dram.policy: is empty; expected fifo|");
    }

    @Test
    void anEmptyPathIsRefusedAndAnEmptyListSaysNothing() throws Exception {
        assertProblems(file("redis: {password-file: ''}"))
                .singleElement()
                .asString()
                .endsWith(":1: redis.password-file: is empty; expected PATH");
        assertProblems(file("redis: {listeners: []}\nssd: {directories: []}\n")).isEmpty();
    }

    @Test
    void aDirectoryIsNoConfigurationFile() {
        assertProblems(folder).containsExactly("cannot read configuration file " + folder + ": it is a directory");
    }

    @Test
    void aProblemIsOneLineWhateverWasGiven() throws IOException {
        assertProblems(file("log: {level: \"a\\nb\"}"))
                .singleElement()
                .asString()
                .contains("'a\\nb' is not known");
    }

    @Test
    void aReachableAddressWithoutASecretIsRefused() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "hunter2\n");

        assertProblems(file("redis: {bind: 0.0.0.0}\nhttp: {bind: 0.0.0.0}\n"))
                .hasSize(2)
                .allMatch(problem -> problem.contains("reachable from other machines"));
        assertProblems(file("redis: {listeners: [{bind: '::', port: 1}]}")).hasSize(1);
        assertProblems(file("redis: {bind: 0.0.0.0, password-file: " + secret + "}"))
                .isEmpty();
        assertProblems(file("redis: {bind: 0.0.0.0}\nallow-unauthenticated: true\n"))
                .isEmpty();
    }

    @Test
    void secretsAreReadFromTheirFilesAndNeverShown() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "hunter2\n");

        Effective effective =
                Effective.resolve(Optional.of(file("redis: {password-file: " + secret + "}")), Map.of(), Map.of());

        assertThat(effective.config().redis().listeners())
                .extracting(RespListener::password)
                .containsOnly(Optional.of("hunter2"));
        assertThat(effective.config().toString()).doesNotContain("hunter2");
        assertThat(effective.given(Settings.PASSWORD_FILE).text()).isEqualTo(secret.toString());
    }

    @Test
    void aKubernetesServiceLinkIsNoSetting() throws Exception {
        Effective effective = Effective.resolve(
                Optional.empty(),
                Map.of(
                        "TIDEMARK_REDIS_PORT", "tcp://10.0.0.1:6399",
                        "TIDEMARK_SERVICE_HOST", "10.0.0.1",
                        "TIDEMARK_REDIS_PRT", "1"),
                Map.of());

        assertThat(effective.given(Settings.REDIS_PORT).text()).isEqualTo("6399");
        assertThat(effective.warnings())
                .containsExactly(
                        "variable TIDEMARK_REDIS_PORT left out: it looks like a Kubernetes service link",
                        "variable TIDEMARK_REDIS_PRT names no setting; did you mean 'TIDEMARK_REDIS_PORT'?",
                        "variable TIDEMARK_SERVICE_HOST left out: it looks like a Kubernetes service link");
    }

    @Test
    void aBadValueOfAVariableStopsTheStart() {
        assertThatThrownBy(
                        () -> Effective.resolve(Optional.empty(), Map.of("TIDEMARK_DRAM_CAPACITY", "lots"), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("variable TIDEMARK_DRAM_CAPACITY: dram.capacity: 'lots' is no size");
    }

    private org.assertj.core.api.ListAssert<String> assertProblems(Path file) {
        try {
            Effective.resolve(Optional.of(file), Map.of(), Map.of()).config();
            return assertThat(List.of());
        } catch (ConfigException e) {
            return assertThat(e.problems());
        }
    }

    private Path file(String yaml) {
        try {
            return Files.writeString(Files.createTempFile(folder, "tidemark", ".yaml"), yaml);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
