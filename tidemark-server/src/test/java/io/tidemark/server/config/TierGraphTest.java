package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The graph of tiers from the configuration file and from UMBP's policy file. */
class TierGraphTest {
    private static final String YAML = """
            dram: {high-mark: 0.8, low-mark: 0.6}
            tiers:
              - name: hot
                backends:
                  - {name: dram, type: dram, capacity: 64MiB}
                offload-to: cold
                offload-trigger: on_evict
              - name: cold
                backends:
                  - {name: a, type: ssd, capacity: 64Mi, directory: /ssd/a, weight: 30}
                  - {name: b, type: ssd, capacity: 128Mi, directory: /ssd/b, weight: 10}
                high-mark: 0.95
                low-mark: 0.5
                promote: copy
                promote-hits: 3
            """;
    private static final String JSON = """
            {"schema_version": 1, "entry_tier": "hot",
             "backends": {
               "dram": {"type": "dram", "capacity": "64MiB", "numa_node": -1},
               "b": {"type": "ssd", "capacity": "128MiB", "path": "/ssd/b"},
               "a": {"type": "ssd", "capacity": "64MiB", "path": "/ssd/a"}},
             "tiers": [
               {"name": "hot", "backends": {"dram": 100}, "offload_to": ["b"], "offload_trigger": "on_evict"},
               {"name": "cold", "placement_policy": "weighted", "backends": {"b": 10, "a": 30},
                "high_watermark": 0.95, "low_watermark": 0.5,
                "promote_trigger": "on_hits", "promote_hits": 3, "promote_mode": "copy"}]}
            """;

    @TempDir
    private Path folder;

    @Test
    void weightsThatAreGivenForNoBackendOfATierFollowTheCapacities() throws Exception {
        String none = YAML.replace(", weight: 30", "").replace(", weight: 10", "");
        assertThat(plan(write("none.yaml", none)).tiers().getLast().members())
                .extracting(TierPlan.Member::weight)
                .containsExactly(TierPlan.BY_CAPACITY, TierPlan.BY_CAPACITY);
        Path one = write("one.yaml", YAML.replace(", weight: 10", ""));
        assertThat(plan(one).tiers().getLast().members())
                .extracting(TierPlan.Member::weight)
                .containsExactly(30, 1);
    }

    @Test
    void bothFormsDescribeTheSameGraph() throws Exception {
        Path json = write("policy.json", JSON);
        TierPlan fromYaml = plan(write("a.yaml", YAML));
        TierPlan fromJson = plan(write("b.yaml", "dram: {high-mark: 0.8, low-mark: 0.6}\numbp-policy: " + json + "\n"));

        assertThat(fromYaml.tiers())
                .containsExactly(
                        new TierPlan.Tier(
                                "hot",
                                List.of(new TierPlan.Member(new TierPlan.Dram("dram", 64L << 20, 4096), 1)),
                                0.8,
                                0.6,
                                List.of("cold"),
                                Optional.empty(),
                                "lru+np"),
                        new TierPlan.Tier(
                                "cold",
                                List.of(
                                        new TierPlan.Member(
                                                new TierPlan.Ssd("a", Path.of("/ssd/a"), 64L << 20, 4096), 30),
                                        new TierPlan.Member(
                                                new TierPlan.Ssd("b", Path.of("/ssd/b"), 128L << 20, 4096), 10)),
                                0.95,
                                0.5,
                                List.of(),
                                Optional.of(new TierPlan.Promotion(3, false)),
                                "lru+np"));
        assertThat(fromJson.tiers().getLast()).isEqualTo(fromYaml.tiers().getLast());
        assertThat(fromJson.tiers().getFirst().members().getFirst().weight()).isEqualTo(100);
        assertThat(fromJson.tiers().getFirst().highMark()).isEqualTo(0.8);
        assertThat(fromJson.tiers().getFirst().offloadTo()).containsExactly("cold");
    }

    @Test
    void theOlderWayToWriteAPromotionIsTakenToo() throws Exception {
        String older = JSON.replace(
                "\"promote_trigger\": \"on_hits\", \"promote_hits\": 3, \"promote_mode\": \"copy\"",
                "\"promote_on_read\": true, \"promotion_mode\": \"move\"");

        assertThat(plan(policy(older)).tiers().getLast().promotion()).contains(new TierPlan.Promotion(1, true));
    }

    @Test
    void aWatermarkTriggerMeansTheTiersOwnMarks() throws Exception {
        TierPlan plan = plan(write("a.yaml", YAML.replace("on_evict", "watermark")));

        assertThat(plan.tiers().getFirst().highMark()).isEqualTo(0.9);
        assertThat(plan.tiers().getFirst().lowMark()).isEqualTo(0.7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "6 | offload-to: cold | offload-to: cld | tier 'hot': offload to 'cld': no tier and no backend; did you mean 'cold'?",
                "6 | offload-to: cold | offload-to: hot | tier 'hot': offload to 'hot': is not further down; expected a later tier",
                "6 | offload-to: cold | offload-to: dram | tier 'hot': offload to 'dram': is not further down",
                "6 | offload-to: cold | offlod-to: cold | tier 'hot': unknown field 'offlod-to'",
                "5 | type: dram | type: dam | backend 'dram': type: 'dam' is not known; expected one of dram, ssd; did you mean",
                "5 | type: dram, | type: ssd, directory: /x, | backend 'dram': is in the entry tier 'hot', where puts land; expected memory (dram)",
                "5 | capacity: 64MiB | capacity: 64Mb | backend 'dram': capacity: '64Mb' is no size",
                "5 | , capacity: 64MiB | `` | backend 'dram': 'capacity' is missing; expected SIZE",
                "3 | name: hot | `name: h|t` | `tier 'h|t': name: 'h|t' is no name`",
                "8 | name: cold | name: hot | tier 'hot': a second one; expected names that differ",
                "10 | name: a | name: dram | backend 'dram': is in a tier already; expected each in exactly one",
                "10 | weight: 30 | weight: 0 | backend 'a': weight: 0 is out of range; expected a whole number from 1 to",
                "10 | capacity: 64Mi, | capacity: 63Mi, | backend 'a': capacity 63Mi is out of range; expected 64Mi to",
                "10 | directory: /ssd/a | weight: 3 | backend 'a': 'weight' is given twice on this line, in columns",
                "10 | directory: /ssd/a, | `` | backend 'a': 'directory' is missing; expected PATH",
                "11 | /ssd/b | /ssd/x/../a | backend 'b': /ssd/x/../a is, holds, or lies in /ssd/a, another backend's directory",
                "12 | high-mark: 0.95 | high-mark: 95 | tier 'cold': high-mark: '95' is out of range",
                "13 | low-mark: 0.5 | low-mark: 0.95 | tier 'cold': low-mark 0.95 has to be below high-mark 0.95",
                "15 | promote: copy | promote: none | tier 'cold': promote-hits has no effect without",
                "15 | promote-hits: 3 | promote-hits: 0 | tier 'cold': promote-hits: 0 is out of range",
                "7 | offload-trigger: on_evict | promote: move | tier 'hot': the entry tier has none above it",
                "1 | dram: {high-mark: 0.8, low-mark: 0.6} | dram: {capacity: 1Gi} | dram.capacity: has no effect beside the tiers of",
                "1 | dram: {high-mark: 0.8, low-mark: 0.6} | ssd: {capacity: 1Gi} | ssd.capacity: has no effect beside the tiers of",
                "1 | dram: {high-mark: 0.8, low-mark: 0.6} | pool: {max-value: 65Mi} | pool.max-value: 65Mi would be evicted as soon as it is stored"
            })
    void anImpossibleGraphInTheFileIsRefusedWithItsLine(int line, String sound, String broken, String expected) {
        Path file = write("a.yaml", once(YAML, sound, broken));

        assertProblems(file)
                .anySatisfy(problem ->
                        assertThat(problem).startsWith(file + ":" + line + ": ").contains(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1 | \"schema_version\": 1 | \"schema_version\": 2 | policy: schema_version 2 is not known; expected 1",
                "1 | \"entry_tier\": \"hot\" | \"entry_tier\": \"cold\" | entry_tier 'cold' is not the first tier",
                "1 | \"entry_tier\": \"hot\" | \"entry_tier\": \"warm\" | entry_tier 'warm' is no tier",
                "1 | \"entry_tier\": \"hot\" | \"entry\": \"hot\" | policy: unknown field 'entry'; expected",
                "3 | \"numa_node\": -1 | \"type\": \"dram\" | backend 'dram': 'type' is given twice on this line, in columns 13 and 50",
                "3 | \"numa_node\": -1}, | \"numa_node\": -1}, \"dram\": {}, | backend 'dram' is given twice on this line, in columns 4 and 68",
                "3 | \"64MiB\" | \"64Mi\" | backend 'dram': capacity: '64Mi' is no capacity; expected a whole number above 0",
                "3 | \"64MiB\" | 67108864 | backend 'dram': 'capacity' has no usable value; expected SIZE in quotes",
                "3 | \"64MiB\" | \"0MiB\" | backend 'dram': capacity: '0MiB' is no capacity",
                "3 | \"64MiB\" | \"9999999TiB\" | backend 'dram': capacity: '9999999TiB' is too large",
                "3 | \"numa_node\": -1 | \"numa_node\": \"0\" | backend 'dram': numa_node has to be a node's number",
                "3 | \"numa_node\": -1 | \"path\": \"/x\" | backend 'dram': unknown field 'path'; expected capacity, numa_node, type",
                "3 | \"type\": \"dram\" | \"type\": \"ram\" | backend 'dram': type is not known; expected 'dram', 'hbm' or 'ssd'",
                "3 | \"type\": \"dram\" | \"type\": \"hbm\" | backend 'dram': unknown field 'numa_node'; expected capacity, devices, type",
                "3 | \"type\": \"dram\", \"capacity\": \"64MiB\", \"numa_node\": -1 | \"type\": \"hbm\", \"capacity\": \"64MiB\", \"devices\": [0, 0] | backend 'dram': devices has to list numbers that differ",
                "7 | \"type\": \"dram\", \"capacity\": \"64MiB\", \"numa_node\": -1 | \"type\": \"hbm\", \"capacity\": \"64MiB\", \"devices\": [0, 1] | backend 'dram': type hbm: there is no device memory here",
                "4 | , \"path\": \"/ssd/b\" | `` | backend 'b': 'path' is missing",
                "7 | {\"dram\": 100} | {\"dram\": 0} | weights: dram: 0 is out of range",
                "7 | {\"dram\": 100} | {\"dram\": 1.5} | weights: dram: '1.5' is no number",
                "7 | {\"dram\": 100} | {\"dran\": 100} | 'dran' is no usable backend; did you mean 'dram'?",
                "7 | {\"dram\": 100} | {} | tiers[0]: backends is empty; expected at least one",
                "7 | , \"offload_trigger\": \"on_evict\" | `` | tiers[0]: 'offload_trigger' is missing; expected 'on_evict' or 'watermark'",
                "7 | \"on_evict\" | \"always\" | tiers[0]: offload_trigger: 'always' is not known",
                "7 | [\"b\"] | [\"dram\"] | tier 'hot': offload to 'dram': is not further down",
                "7 | [\"b\"] | [\"c\"] | tier 'hot': offload to 'c': no tier and no backend",
                "7 | [\"b\"] | \"cold\" | tiers[0]: 'offload_to' has no usable value; expected a list",
                "8 | \"weighted\" | \"random\" | tiers[1]: placement_policy: 'random' is not known",
                "4 | {\"b\": 10, \"a\": 30} | {\"a\": 30} | backend 'b': is a member of no tier",
                "9 | \"low_watermark\": 0.5 | \"low_watermark\": 0.95 | tiers[1]: low_watermark 0.95 has to be below",
                "10 | \"promote_hits\": 3 | \"promote_hits\": 1 | tiers[1]: promote_hits: 1 is out of range",
                "8 | , \"promote_hits\": 3 | `` | tiers[1]: 'promote_hits' is missing",
                "10 | \"on_hits\" | \"on_read\" | tiers[1]: promote_hits has no effect with this trigger",
                "10 | \"promote_mode\": \"copy\" | \"promotion_mode\": \"copy\" | tiers[1]: promotion is said in two ways"
            })
    void anImpossiblePolicyIsRefusedWithItsLine(int line, String sound, String broken, String expected) {
        Path file = write("policy.json", once(JSON, sound, broken));

        assertProblems(write("a.yaml", "umbp-policy: " + file + "\n"))
                .anySatisfy(problem ->
                        assertThat(problem).startsWith(file + ":" + line + ": ").contains(expected));
    }

    @Test
    void aPolicyThatIsNoJsonOrIsMissingIsRefused() {
        Path broken = write("policy.json", "{\"tiers\": [\n}");
        Path missing = folder.resolve("none.json");

        assertProblems(write("a.yaml", "umbp-policy: " + broken + "\n"))
                .singleElement()
                .asString()
                .startsWith(broken + ":2: no JSON: ");
        assertProblems(write("b.yaml", "umbp-policy: " + missing + "\n"))
                .containsExactly(folder.resolve("b.yaml") + ":1: cannot read " + missing + ": no such file");
        assertProblems(write("c.yaml", "umbp-policy: " + write("empty.json", "") + "\n"))
                .singleElement()
                .asString()
                .contains("empty.json:1: is empty; expected an object");
    }

    @Test
    void allThatIsWrongWithAGraphIsToldAtOnce() {
        Path file = write("a.yaml", """
                dram: {capacity: 1Gi}
                redis: {bind: 0.0.0.0}
                tiers:
                  - name: hot
                    backends:
                      - {name: dram, type: dram, capacity: lots}
                      - {name: more, type: dram, capacity: 64Mi, pgae: 4Ki}
                    offload-to: cld
                    promote: move
                  - name: cold
                    backends:
                      - {name: a, type: ssd, capacity: 64Mi, directory: /ssd/a}
                      - {name: a, type: ssd, capacity: 1Mi, directory: /ssd/a/b}
                    high-mark: 0.5
                    low-mark: 0.6
                    policy: none
                    offload-to: dram
                """);

        assertProblems(file)
                .satisfiesExactly(
                        problem -> assertThat(problem).contains(":1: dram.capacity: has no effect beside the tiers of"),
                        problem -> assertThat(problem).contains(":2: redis.bind: 0.0.0.0 is reachable"),
                        problem -> assertThat(problem).contains(":6: backend 'dram': capacity: 'lots' is no size"),
                        problem -> assertThat(problem).contains(":7: backend 'more': unknown field 'pgae'"),
                        problem -> assertThat(problem).contains(":8: tier 'hot': offload to 'cld': no tier"),
                        problem -> assertThat(problem).contains(":9: tier 'hot': the entry tier has none above it"),
                        problem -> assertThat(problem).contains(":13: backend 'a': is in a tier already"),
                        problem -> assertThat(problem).contains(":13: backend 'a': /ssd/a/b is, holds, or lies in"),
                        problem -> assertThat(problem).contains(":13: backend 'a': capacity 1Mi is out of range"),
                        problem -> assertThat(problem).contains(":15: tier 'cold': low-mark 0.6 has to be below"),
                        problem -> assertThat(problem).contains(":16: tier 'cold': policy none is for memory"));
    }

    @Test
    void nothingIsSaidOfWhatFollowsFromWhatWasNotUnderstood() {
        assertProblems(write("a.yaml", YAML.replace("- name: cold", "- nmae: cold")))
                .allMatch(problem -> problem.contains(":8: tier"))
                .hasSize(2);
        assertProblems(write(
                        "b.yaml",
                        YAML.replace("high-mark: 0.95", "high-mark: 95").replace("0.5", "0.92")))
                .singleElement()
                .asString()
                .contains("high-mark: '95' is out of range");
    }

    @Test
    void whatStandsBesideAFaultyPolicyIsJudgedToo() {
        Path policy = write("policy.json", JSON.replace("\"schema_version\": 1", "\"schema_version\": 2"));

        assertProblems(write("a.yaml", "umbp-policy: " + policy + "\ndram: {capacity: 2Gi}\nssd: {capacity: 1Gi}\n"))
                .anyMatch(problem -> problem.contains("schema_version 2 is not known"))
                .anyMatch(problem -> problem.contains(":2: dram.capacity: has no effect beside the tiers of " + policy))
                .anyMatch(problem -> problem.contains(":3: ssd.capacity: has no effect beside the tiers of " + policy))
                .hasSize(3);
    }

    @Test
    void aPolicyThatEndsEarlyIsToldInOurWords() {
        assertProblems(write("a.yaml", "umbp-policy: " + write("policy.json", "{\"tiers\": [") + "\n"))
                .singleElement()
                .asString()
                .contains("no JSON: Unexpected end-of-input: expected close marker for")
                .doesNotContain("Source", "REDACTED");
    }

    @Test
    void aTierThatNothingReachesIsAWarning() throws Exception {
        Path file = write(
                "a.yaml",
                YAML.replace("offload-to: cold\n", "policy: lru\n").replace("    offload-trigger: on_evict\n", ""));

        assertThat(Effective.resolve(Optional.of(file), Map.of(), Map.of()).warnings())
                .containsExactly(file + ":7: tier 'cold': nothing offloads to it, so it stays empty");
    }

    private static String once(String text, String sound, String broken) {
        int at = text.indexOf(sound);
        assertThat(at).as("'%s' in the sound text", sound).isNotNegative();
        return text.substring(0, at) + broken + text.substring(at + sound.length());
    }

    private Path policy(String json) {
        return write("a.yaml", "umbp-policy: " + write("policy.json", json) + "\n");
    }

    private static TierPlan plan(Path file) throws ConfigException {
        return Effective.resolve(Optional.of(file), Map.of(), Map.of()).config().tiers();
    }

    private static ListAssert<String> assertProblems(Path file) {
        try {
            plan(file);
            return assertThat(List.of());
        } catch (ConfigException e) {
            return assertThat(e.problems());
        }
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
