package io.tidemark.index.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulationTest {
    private static final Marks MARKS = new Marks(0.8, 0.4);

    @TempDir
    private Path folder;

    @Test
    void marksDrainFromHighToLowAfterTheStoreThatReachesHigh() throws IOException {
        Trace trace = trace("a\nb\nc\nd\ne\nf\ng\nh\na\nh\ne\n");
        CacheResult result = (CacheResult) run(trace, "lru", 10, Optional.of(MARKS));
        // the eighth store reaches 8 of 10 and drains to 4: a, b, c, d go; e..h stay
        assertThat(result.prefixHits()).isEqualTo(2);
        assertThat(result.inserts()).isEqualTo(9);
        assertThat(result.evictions()).isEqualTo(4);
    }

    @Test
    void marksNeverRefuseAStoreAndNeverEvictThePathThatIsBeingStored() throws IOException {
        Trace trace = trace("a,b,c,d,e,f,g,h,i,j\na,b,c,d,e,f,g,h,i,j\n");
        for (String policy : Simulation.policies()) {
            CacheResult result = (CacheResult) run(trace, policy, 4, Optional.of(MARKS));
            assertThat(result.inserts()).as(policy).isPositive();
        }
        assertThat(run(trace, "lru", 10, Optional.of(MARKS)).prefixHits()).isEqualTo(10);
    }

    @Test
    void marksNeverHelpLeastRecentlyUsed() throws IOException {
        Trace trace = trace(loops());
        for (int blocks = 5; blocks < 40; blocks += 5) {
            long exact = run(trace, "lru", blocks, Optional.empty()).prefixHits();
            assertThat(run(trace, "lru", blocks, Optional.of(MARKS)).prefixHits())
                    .isLessThanOrEqualTo(exact);
        }
    }

    @Test
    void noPolicyBeatsTheOptimumAndTheOptimumNotTheInfinite() throws IOException {
        Trace trace = trace(loops());
        for (int blocks = 3; blocks < 40; blocks += 4) {
            long best = run(trace, "opt", blocks, Optional.empty()).prefixHits();
            long bound = run(trace, "infinite", blocks, Optional.empty()).prefixHits();
            assertThat(best).isLessThanOrEqualTo(bound);
            for (String policy : Simulation.policies()) {
                if (!policy.equals("infinite")) {
                    assertThat(run(trace, policy, blocks, Optional.empty()).prefixHits())
                            .as("%s at %d", policy, blocks)
                            .isLessThanOrEqualTo(best);
                }
            }
        }
    }

    @Test
    void twoTiersHoldAsMuchAsOneOfTheirSum() throws IOException {
        Trace trace = trace(loops());
        SimulationOptions options = new SimulationOptions(
                List.of("lru"), List.of(), Optional.empty(), Optional.of(TierSizes.parse("dram=12,ssd=20")));
        TierResult tiers = (TierResult)
                Simulation.run(trace, options, SimulationListener.NONE).getFirst();
        assertThat(tiers.policy()).isEqualTo("tier:lru/lru");
        assertThat(tiers.dramHits() + tiers.ssdHits()).isEqualTo(tiers.prefixHits());
        assertThat(tiers.prefixHits())
                .isEqualTo(run(trace, "lru", 32, Optional.empty()).prefixHits());
    }

    @Test
    void marksInTwoTiersKeepBothBelowTheirHighMark() throws IOException {
        Trace trace = trace(loops());
        SimulationOptions options = new SimulationOptions(
                List.of("lru"), List.of(), Optional.of(MARKS), Optional.of(TierSizes.parse("dram=12,ssd=20")));
        TierResult tiers = (TierResult)
                Simulation.run(trace, options, SimulationListener.NONE).getFirst();
        long resident = tiers.inserts() - tiers.droppedFromDram() - tiers.droppedFromSsd();
        assertThat(resident).isBetween(1L, 9L + 15L);
    }

    @Test
    void theListenerHearsEveryResult() throws IOException {
        List<String> heard = new ArrayList<>();
        SimulationListener listener = new SimulationListener() {
            @Override
            public void finished(SimulationResult result) {
                heard.add(result.policy() + " " + result.size());
            }
        };
        SimulationOptions options = new SimulationOptions(
                List.of("lru", "opt"),
                List.of(CacheSize.parse("2"), CacheSize.parse("50%")),
                Optional.empty(),
                Optional.empty());
        Simulation.run(Files.writeString(folder.resolve("x.csv"), "a,b\na,c\n"), options, listener);
        assertThat(heard).containsExactly("lru 2", "lru 50%", "opt 2", "opt 50%");
    }

    @Test
    void sizesArePercentOfTheUniqueBlocksRoundedDown() throws IOException {
        Trace trace = trace("a,b,c\nd,e,f,g\n");
        assertThat(CacheSize.parse("50%").blocks(trace)).isEqualTo(3);
        assertThat(CacheSize.parse("1%").blocks(trace)).isEqualTo(1);
        assertThat(CacheSize.parse("12").blocks(trace)).isEqualTo(12);
        assertThatThrownBy(() -> CacheSize.parse("0")).hasMessageContaining("'0' is no cache size; expected");
        assertThatThrownBy(() -> CacheSize.parse("many")).hasMessageContaining("'many' is no cache size; expected");
    }

    @Test
    void impossibleOptionsAreRefusedWithWhatIsPossible() {
        assertThatThrownBy(() -> Marks.parse("0.7:0.9")).hasMessageContaining("0 <= low < high <= 1");
        assertThatThrownBy(() -> Marks.parse("0.9")).hasMessageContaining("HIGH:LOW");
        assertThatThrownBy(() -> TierSizes.parse("2%,20%")).hasMessageContaining("dram=2%,ssd=20%");
        assertThatThrownBy(() -> options("lruu")).hasMessageContaining("'lruu', known: fifo, filo, flat:belady");
        assertThatThrownBy(() -> TierPolicies.parse("lru/opt")).hasMessageContaining("unknown policy 'opt'");
        assertThatThrownBy(() -> TierPolicies.parse("tide")).hasMessageContaining("tide/lru/np");
        assertThatThrownBy(() -> TierPolicies.parse("lru/lru/xx")).hasMessageContaining("UPPER/LOWER/np");
    }

    private static SimulationOptions options(String policy) {
        return new SimulationOptions(
                List.of(policy), List.of(CacheSize.parse("5%")), Optional.empty(), Optional.empty());
    }

    private static SimulationResult run(Trace trace, String policy, int blocks, Optional<Marks> marks) {
        SimulationOptions options = new SimulationOptions(
                List.of(policy), List.of(CacheSize.parse(Integer.toString(blocks))), marks, Optional.empty());
        return Simulation.run(trace, options, SimulationListener.NONE).getFirst();
    }

    /** Three conversations that grow in turn, over a shared root. */
    private static String loops() {
        StringBuilder text = new StringBuilder();
        for (int round = 1; round < 30; round++) {
            for (int talk = 0; talk < 3; talk++) {
                text.append("root");
                for (int turn = 0; turn < round % 12; turn++) {
                    text.append(",t").append(talk).append('-').append(turn);
                }
                text.append('\n');
            }
        }
        return text.toString();
    }

    private Trace trace(String csv) throws IOException {
        return TraceReader.read(Files.writeString(folder.resolve("t.csv"), csv));
    }
}
