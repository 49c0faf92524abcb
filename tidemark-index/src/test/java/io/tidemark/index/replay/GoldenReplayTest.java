package io.tidemark.index.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.SharedData;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every integer of every recorded policy that the simulator knows, on both traces. */
class GoldenReplayTest {
    private static final String TIDE = "tide";
    private static final String TIERS = "tier:";

    /** What has to equal the recordings wherever a trace has it. */
    private static final Set<String> NAMES = Set.of(
            "lru",
            "lru+np",
            "fifo",
            "lfu",
            "mru",
            "filo",
            "slru",
            "slru2",
            "tlru8",
            "tlru16",
            "lfuda",
            "lru2g4",
            "gdsf",
            "gdsf+np",
            "opt",
            "infinite",
            "flat:lru",
            "flat:lru-rev",
            "flat:belady",
            "tier:lru/lru");

    @Test
    void conversationEqualsTheRecording() throws IOException {
        assertThat(compare("conversation", golden -> true)).containsAll(NAMES);
    }

    @Test
    void agenticEqualsTheRecordingAtTwoSizesAndInTwoTiers() throws IOException {
        Set<String> sizes = Set.of("1%", "5%", "2%:20%");
        Set<String> compared = compare("agentic", golden -> sizes.contains(golden.size()));
        assertThat(compared).containsAll(recordedOf("agentic"));
    }

    @Test
    @Tag("soak")
    void agenticEqualsTheRecording() throws IOException {
        assertThat(compare("agentic", golden -> true)).containsAll(recordedOf("agentic"));
    }

    /** The names that a trace has recordings of; it must have some. */
    private static Set<String> recordedOf(String trace) throws IOException {
        Set<String> recorded = new TreeSet<>(NAMES);
        recorded.retainAll(
                GoldenReplay.read(trace).stream().map(GoldenReplay.Case::policy).collect(Collectors.toSet()));
        assertThat(recorded).hasSizeGreaterThanOrEqualTo(10);
        return recorded;
    }

    /** Compares the cases that are wanted, of the names above and of what the simulator knows besides; answers the policies. */
    private static Set<String> compare(String name, Predicate<GoldenReplay.Case> wanted) throws IOException {
        Trace trace = TraceReader.read(SharedData.require("traces/" + name + "_trace.jsonl.gz"));
        SoftAssertions all = new SoftAssertions();
        Set<String> compared = new TreeSet<>();
        for (GoldenReplay.Case golden : GoldenReplay.read(name)) {
            if (wanted.test(golden) && (NAMES.contains(golden.policy()) || isKnownBesides(golden))) {
                Map<String, Long> got = new TreeMap<>(GoldenReplay.integers(run(trace, golden)));
                all.assertThat(got).as(golden.toString()).isEqualTo(golden.integers());
                compared.add(golden.policy());
            }
        }
        all.assertAll();
        return compared;
    }

    /**
     * {@code tide} is described in words, so that its integers cannot be expected to the last one: it must reach the
     * recorded hits within three percent, and beyond plain LRU what makes it worth having.
     */
    @Test
    void tideReachesTheRecordedGainOnConversation() throws IOException {
        Trace trace = TraceReader.read(SharedData.require("traces/conversation_trace.jsonl.gz"));
        for (GoldenReplay.Case golden : GoldenReplay.read("conversation")) {
            if (golden.policy().equals(TIDE)) {
                long recorded = Objects.requireNonNull(golden.integers().get("prefix_hits"));
                assertThat(run(trace, golden).prefixHits())
                        .as(golden.toString())
                        .isBetween(recorded * 97 / 100, recorded * 103 / 100);
            }
        }
    }

    @Test
    void tideOfATierNeverHitsLessThanLruOnConversationAndClosesAQuarterOfTheGapWhereItIsSmall() throws IOException {
        Trace trace = TraceReader.read(SharedData.require("traces/conversation_trace.jsonl.gz"));
        for (String size : List.of("1%", "2%", "5%", "10%", "20%", "50%")) {
            long lru = hits(trace, "lru", size);
            long tide = hits(trace, "tide:sized", size);
            assertThat(tide).as(size).isGreaterThanOrEqualTo(lru);
            if (size.equals("1%") || size.equals("2%")) {
                assertThat(4 * (tide - lru)).as(size).isGreaterThanOrEqualTo(hits(trace, "opt", size) - lru);
            }
        }
    }

    @Test
    @Tag("soak")
    void tideOfATierNeverHitsLessThanLruOnAgentic() throws IOException {
        Trace trace = TraceReader.read(SharedData.require("traces/agentic_trace.jsonl.gz"));
        for (String size : List.of("1%", "2%", "5%", "10%", "20%", "50%")) {
            assertThat(hits(trace, "tide:sized", size)).as(size).isGreaterThanOrEqualTo(hits(trace, "lru", size));
        }
    }

    private static long hits(Trace trace, String policy, String size) {
        SimulationOptions options = new SimulationOptions(
                List.of(policy), List.of(CacheSize.parse(size)), Optional.empty(), Optional.empty());
        return Simulation.run(trace, options, SimulationListener.NONE)
                .getFirst()
                .prefixHits();
    }

    /** Whether the simulator has the policy, whose integers are those of its name: of {@code tide} they are not. */
    private static boolean isKnownBesides(GoldenReplay.Case golden) {
        if (golden.policy().contains(TIDE)) {
            return false;
        }
        if (!golden.isTiers()) {
            return Simulation.policies().contains(golden.policy());
        }
        String[] tiers = golden.policy().substring(TIERS.length()).split("/", -1);
        return Simulation.policies().containsAll(List.of(tiers[0], tiers[1]));
    }

    private static SimulationResult run(Trace trace, GoldenReplay.Case golden) {
        Optional<TierSizes> tiers = golden.isTiers()
                ? Optional.of(TierSizes.parse("dram=" + golden.size().replace(":", ",ssd=")))
                : Optional.empty();
        List<CacheSize> sizes = golden.isTiers() ? List.of() : List.of(CacheSize.parse(golden.size()));
        SimulationOptions options = new SimulationOptions(List.of(golden.policy()), sizes, Optional.empty(), tiers);
        return Simulation.run(trace, options, SimulationListener.NONE).getFirst();
    }
}
