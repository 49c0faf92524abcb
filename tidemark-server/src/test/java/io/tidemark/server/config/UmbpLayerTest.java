package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Acceptance line O: UMBP's variables and the rule by which UMBP reads them. */
class UmbpLayerTest {
    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}={1} gives {2} {3}")
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "unset        | ``                     | 1Gi        | ``",
                "empty        | ``                     | 1Gi        | ``",
                "blank        | `  `                   | 1Gi        | ``",
                "good         | 1048576                | 1048576    | ``",
                "with a plus  | +1048576               | 1048576    | ``",
                "zero         | 0                      | 1Gi        | 0 is below 1",
                "negative     | -5                     | 1Gi        | -5 is below 1",
                "a word       | lots                   | 1Gi        | 'lots' is no whole number",
                "a tail       | 1048576x               | 1Gi        | '1048576x' is no whole number",
                "a unit       | 64Mi                   | 1Gi        | '64Mi' is no whole number",
                "a fraction   | 1048576.5              | 1Gi        | '1048576.5' is no whole number",
                "too large    | 99999999999999999999   | 1Gi        | '99999999999999999999' is out of range",
                "below ours   | 4096                   | 1Gi        | '4096' is out of range; expected 1Mi to 64Ti"
            })
    void aBadValueIsOneWarningAndTheDefault(String what, String text, String expected, String warning)
            throws Exception {
        Map<String, String> environment = what.equals("unset") ? Map.of() : Map.of("UMBP_DRAM_CAPACITY", text);

        Effective effective = effective(environment);

        assertThat(effective.given(Settings.DRAM_CAPACITY).text()).isEqualTo(expected);
        if (warning.isEmpty()) {
            assertThat(effective.warnings()).isEmpty();
        } else {
            assertThat(effective.warnings()).containsExactly("variable UMBP_DRAM_CAPACITY left out: " + warning);
        }
        assertThat(effective.config().tiers().dramBytes()).isPositive();
    }

    @Test
    void everyHonouredVariableReachesItsSetting() throws Exception {
        TidemarkConfig config = effective(Map.ofEntries(
                        Map.entry("UMBP_DRAM_CAPACITY", "67108864"),
                        Map.entry("UMBP_DRAM_HIGH_WM", "0.8"),
                        Map.entry("UMBP_DRAM_LOW_WM", ".6"),
                        Map.entry("UMBP_DRAM_USE_HUGEPAGES", "0"),
                        Map.entry("UMBP_SSD_ENABLED", "1"),
                        Map.entry("UMBP_SSD_DIR", "/a,/b"),
                        Map.entry("UMBP_SSD_CAPACITY", "268435456"),
                        Map.entry("UMBP_SSD_HIGH_WM", "0.95"),
                        Map.entry("UMBP_SSD_LOW_WM", "5e-1"),
                        Map.entry("UMBP_SSD_TIER_IO_THREADS", "8"),
                        Map.entry("UMBP_SSD_STARTUP_DISCARD", "1"),
                        Map.entry("UMBP_EVICTION_POLICY", "prefix_aware_lru")))
                .config();

        TierPlan.Tier memory = config.tiers().tiers().getFirst();
        TierPlan.Tier ssd = config.tiers().tiers().getLast();
        assertThat(memory.members().getFirst().backend()).isEqualTo(new TierPlan.Dram("dram0", 64L << 20, 4096));
        assertThat(memory.highMark()).isEqualTo(0.8);
        assertThat(memory.lowMark()).isEqualTo(0.6);
        assertThat(memory.policy()).isEqualTo("lru+np");
        assertThat(config.tiers().ssd())
                .containsExactly(
                        new TierPlan.Ssd("ssd0", Path.of("/a"), 128L << 20, 4096),
                        new TierPlan.Ssd("ssd1", Path.of("/b"), 128L << 20, 4096));
        assertThat(ssd.highMark()).isEqualTo(0.95);
        assertThat(ssd.lowMark()).isEqualTo(0.5);
        assertThat(config.hugePages()).isFalse();
        assertThat(config.ssdFresh()).isTrue();
        assertThat(config.limits().reads().threads()).isEqualTo(8);
    }

    @Test
    void ssdIsSwitchedOnAndOff() throws Exception {
        assertThat(effective(Map.of("UMBP_SSD_ENABLED", "1")).config().tiers().ssd())
                .hasSize(1);
        assertThat(effective(Map.of("UMBP_SSD_DIR", "/a")).config().tiers().ssd())
                .hasSize(1);
        assertThat(effective(Map.of("UMBP_SSD_DIR", "/a", "UMBP_SSD_ENABLED", "0"))
                        .config()
                        .tiers()
                        .ssd())
                .isEmpty();
        Effective marksOnly = effective(Map.of("UMBP_SSD_HIGH_WM", "0.8"));
        assertThat(marksOnly.config().tiers().ssd()).isEmpty();
        assertThat(marksOnly.warnings()).isEmpty();
    }

    @Test
    void whatWasWrittenForThisServerWins() throws Exception {
        Path file = Files.writeString(folder.resolve("a.yaml"), "dram: {capacity: 32Mi}\n");

        Effective effective = Effective.resolve(
                Optional.of(file),
                Map.of("UMBP_DRAM_CAPACITY", "67108864", "UMBP_DRAM_HIGH_WM", "0.8", "TIDEMARK_DRAM_LOW_MARK", "0.5"),
                Map.of());

        assertThat(effective.given(Settings.DRAM_CAPACITY)).isEqualTo(new Given("32Mi", new Origin.File(file, 1)));
        assertThat(effective.given(Settings.HIGH_MARK))
                .isEqualTo(new Given("0.8", new Origin.Foreign("UMBP_DRAM_HIGH_WM")));
        assertThat(effective.given(Settings.LOW_MARK).text()).isEqualTo("0.5");
    }

    @Test
    void marksThatCrossAreBothLeftOut() throws Exception {
        Effective effective = effective(Map.of("UMBP_DRAM_HIGH_WM", "0.6"));

        assertThat(effective.given(Settings.HIGH_MARK).text()).isEqualTo("0.9");
        assertThat(effective.warnings())
                .containsExactly("variable UMBP_DRAM_HIGH_WM left out: dram.high-mark 0.6 crosses the other mark;"
                        + " expected the low one below the high one");
        effective.config();
    }

    @Test
    void aBadValueNeverDiscardsWhatIsOnSsd() throws Exception {
        Effective effective = effective(Map.of("UMBP_SSD_DIR", "/a", "UMBP_SSD_STARTUP_DISCARD", "yes"));

        assertThat(effective.config().ssdFresh()).isFalse();
        assertThat(effective.warnings()).hasSize(1);
    }

    @Test
    void variablesWithoutAnEffectAreWarningsUnlessTheySayWhatHoldsAnyway() throws Exception {
        assertThat(effective(Map.of(
                                "UMBP_SSD_DIRECT_IO", "1",
                                "UMBP_SSD_VERIFY_CRC", "0",
                                "UMBP_DRAM_CAPACTY", "1",
                                "UMBP_ROLE", "SharedSSDLeader",
                                "UMBP_KV_REPLICATION", "numa",
                                "UMBP_DISTRIBUTED_STAGING_BUFFER_SIZE", "134217728",
                                "UMBP_DISTRIBUTED_SSD_STAGING_BUFFER_SLOTS", "16",
                                "UMBP_MASTER_ADDRESS", "x"))
                        .warnings())
                .containsExactly(
                        "variable UMBP_DISTRIBUTED_STAGING_BUFFER_SIZE has no effect here",
                        "variable UMBP_DRAM_CAPACTY is none of UMBP's that are known here; did you mean"
                                + " 'UMBP_DRAM_CAPACITY'?",
                        "variable UMBP_KV_REPLICATION has no effect here",
                        "variable UMBP_ROLE has no effect here",
                        "variable UMBP_SSD_VERIFY_CRC has no effect here");
    }

    /** Nothing is synced before it is answered: whoever asks for that is told, who asks for less is not. */
    @Test
    void strictDurabilityIsWarnedOfAndRelaxedIsWhatIsDone() throws Exception {
        assertThat(effective(Map.of("UMBP_SSD_DURABILITY", "strict")).warnings())
                .containsExactly("variable UMBP_SSD_DURABILITY has no effect here: writes are answered before they are"
                        + " synced, as with 'relaxed'");
        assertThat(effective(Map.of("UMBP_SSD_DURABILITY", "relaxed")).warnings())
                .isEmpty();
        assertThat(effective(Map.of()).warnings()).isEmpty();
    }

    @Test
    void aLeaseInMillisecondsIsTheLeaseOfLookUps() throws Exception {
        assertThat(effective(Map.of("UMBP_DRAM_READ_LEASE_MS", "700"))
                        .config()
                        .limits()
                        .leaseMillis())
                .isEqualTo(700);
        Effective bad = effective(Map.of("UMBP_DRAM_READ_LEASE_MS", "0"));
        assertThat(bad.config().limits().leaseMillis()).isEqualTo(2_000);
        assertThat(bad.warnings()).containsExactly("variable UMBP_DRAM_READ_LEASE_MS left out: 0 is below 1");
    }

    @Test
    void theVariableThatPointsToAPolicyFileIsHonouredUnlessTheFileHasTiersOfItsOwn() throws Exception {
        Path policy = Files.writeString(folder.resolve("p.json"), """
                {"backends": {"ram": {"type": "dram", "capacity": "64MiB"}},
                 "tiers": [{"name": "theirs", "backends": {"ram": 1}}]}
                """);
        Path file = Files.writeString(folder.resolve("a.yaml"), """
                tiers:
                  - {name: ours, backends: [{name: ram, type: dram, capacity: 64Mi}]}
                """);
        Map<String, String> environment =
                Map.of("UMBP_BACKEND_POLICY", policy.toString(), "UMBP_DRAM_CAPACITY", "33554432");

        assertThat(effective(environment).config().tiers().tiers())
                .singleElement()
                .extracting(TierPlan.Tier::name)
                .isEqualTo("theirs");
        assertThat(Effective.resolve(Optional.of(file), environment, Map.of())
                        .config()
                        .tiers()
                        .tiers())
                .singleElement()
                .extracting(TierPlan.Tier::name)
                .isEqualTo("ours");
    }

    private static Effective effective(Map<String, String> environment) throws ConfigException {
        return Effective.resolve(Optional.empty(), environment, Map.of());
    }
}
