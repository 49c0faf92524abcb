package io.tidemark.index.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Capacities in bytes over blocks of several sizes. */
class ByteCapacityTest {
    @TempDir
    private Path folder;

    @Test
    void aLargeBlockCostsSeveralSmallOnes() throws IOException {
        // a, b, c fit in 30 bytes; d takes 20, so a and b go
        Trace trace = trace("a,10 b,10 c,10 d,20 c,10 d,20 a,10");
        CacheResult result = run(trace, "lru", "30");
        assertThat(result.prefixHits()).isEqualTo(2);
        assertThat(result.inserts()).isEqualTo(5);
        assertThat(result.evictions()).isEqualTo(3);
        assertThat(result.bytes()).contains(new ByteHits(90, 30));
        assertThat(result.bytes().orElseThrow().prefixHitRatio()).isEqualTo(30 / 90.0);
    }

    @Test
    void aBlockThatIsLargerThanTheCacheDrivesNothingOut() throws IOException {
        Trace trace = trace("a,10 b,10 big,31 a,10 b,10");
        for (String policy : Simulation.policiesInBytes()) {
            assertThat(run(trace, policy, "30").prefixHits()).as(policy).isEqualTo(2);
        }
    }

    @Test
    void blocksOfOneSizeGiveTheSameInBytesAsInBlocks() throws IOException {
        StringBuilder uses = new StringBuilder();
        Random random = new Random(3);
        for (int i = 0; i < 3_000; i++) {
            uses.append('k').append((int) Math.abs(random.nextGaussian() * 60)).append(",4096 ");
        }
        Trace trace = trace(uses.toString());
        for (String policy : Simulation.policiesInBytes()) {
            CacheResult inBytes = run(trace, policy, Integer.toString(40 * 4096));
            CacheResult inBlocks = (CacheResult) Simulation.run(
                            trace,
                            new SimulationOptions(
                                    List.of(policy),
                                    List.of(CacheSize.parse("40")),
                                    Optional.empty(),
                                    Optional.empty()),
                            SimulationListener.NONE)
                    .getFirst();
            assertThat(inBytes.prefixHits()).as(policy).isEqualTo(inBlocks.prefixHits());
            assertThat(inBytes.evictions()).as(policy).isEqualTo(inBlocks.evictions());
            assertThat(inBytes.bytes()).as(policy).isEqualTo(inBlocks.bytes());
        }
    }

    @Test
    void lruInBytesIsWhatANaiveOneDoes() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            StringBuilder uses = new StringBuilder();
            List<Integer> keys = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                int key = (int) Math.abs(random.nextGaussian() * 25);
                keys.add(key);
                uses.append('k').append(key).append(',').append(size(key)).append(' ');
            }
            long capacity = 1_000L + random.nextInt(8_000);
            assertThat(run(trace(uses.toString()), "lru", Long.toString(capacity))
                            .prefixHits())
                    .as("seed %d", seed)
                    .isEqualTo(naiveHits(keys, capacity));
        }
    }

    @Test
    void twoTiersInBytesHoldNoMoreThanTheyMay() throws IOException {
        Trace trace = trace("a,10 b,10 c,10 d,25 a,10 b,10 c,10");
        SimulationOptions options = new SimulationOptions(
                List.of("lru"), List.of(), Optional.empty(), Optional.of(TierSizes.parse("dram=0.03k,ssd=0.02k")));
        TierResult result = (TierResult)
                Simulation.run(trace, options, SimulationListener.NONE).getFirst();
        // d drives all of a, b, c down, where two of them fit; each that comes back up makes d and others move
        assertThat(result.prefixHits()).isBetween(1L, 3L);
        long resident = result.inserts() - result.droppedFromDram() - result.droppedFromSsd();
        assertThat(resident).isLessThanOrEqualTo(5);
        assertThat(result.bytes().orElseThrow().references()).isEqualTo(85);
    }

    @Test
    void blocksWithoutASizeCountAsTheAverageAndThatIsSaid() throws IOException {
        Trace trace = trace("a,10 b,30 c,");
        assertThat(trace.bytes(2)).isEqualTo(20);
        assertThat(trace.uniqueBytes()).isEqualTo(60);
        assertThat(trace.remarks()).anyMatch(text -> text.startsWith("1 of 3 blocks have no size; they count as 20"));
    }

    @Test
    void withoutSizesBytesAreRefusedByNameOfTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("plain.csv"), "a\nb\n");
        SimulationOptions options = new SimulationOptions(
                List.of("lru"), List.of(CacheSize.parseBytes("1Mi")), Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> Simulation.run(file, options, SimulationListener.NONE))
                .isInstanceOf(TraceFormatException.class)
                .hasMessage(file
                        + ": no block has a size, which capacities in bytes need: expected a recording of a server,"
                        + " or CSV with a column 'size'");
    }

    @Test
    void optimaAreRefusedInBytes() {
        for (String policy : List.of("opt", "flat:belady")) {
            assertThatThrownBy(() -> new SimulationOptions(
                            List.of(policy), List.of(CacheSize.parseBytes("5%")), Optional.empty(), Optional.empty()))
                    .hasMessageContaining("optima for blocks of one size only");
        }
    }

    @Test
    void sizesInBytesAreReadWithTheirUnits() throws IOException {
        Trace trace = trace("a,1000 b,3000");
        assertThat(CacheSize.parseBytes("50%").of(trace)).isEqualTo(2000);
        assertThat(CacheSize.parseBytes("64Ki").of(trace)).isEqualTo(65536);
        assertThat(CacheSize.parseBytes("1.5GiB").of(trace)).isEqualTo(3L << 29);
        assertThat(CacheSize.parseBytes("2G").of(trace)).isEqualTo(2_000_000_000);
        assertThat(CacheSize.parseBytes("17").of(trace)).isEqualTo(17);
        for (String bad : List.of("", "i", "5Xi", "-1", "0", "0%", "1e99G", "NaN", "Gi")) {
            assertThatThrownBy(() -> CacheSize.parseBytes(bad))
                    .as(bad)
                    .hasMessageContaining("512Mi, 2G or 65536")
                    .hasMessageStartingWith("'" + bad + "' is no ");
        }
        assertThatThrownBy(() -> CacheSize.parse("2Gi")).hasMessageContaining("a number of blocks");
        assertThat(TierSizes.parse("dram=1Gi,ssd=20%").ssd().unit()).isEqualTo(CacheSize.Unit.BYTES);
    }

    private static long size(int key) {
        return 100 + key * 37L;
    }

    private static long naiveHits(List<Integer> keys, long capacity) {
        Map<Integer, Long> held = new LinkedHashMap<>(16, 0.75f, true);
        long used = 0;
        long hits = 0;
        for (int key : keys) {
            if (held.get(key) != null) {
                hits++;
                continue;
            }
            if (size(key) > capacity) {
                continue;
            }
            while (used + size(key) > capacity) {
                Integer oldest = held.keySet().iterator().next();
                used -= size(oldest);
                held.remove(oldest);
            }
            held.put(key, size(key));
            used += size(key);
        }
        return hits;
    }

    private CacheResult run(Trace trace, String policy, String bytes) {
        SimulationOptions options = new SimulationOptions(
                List.of(policy), List.of(CacheSize.parseBytes(bytes)), Optional.empty(), Optional.empty());
        return (CacheResult)
                Simulation.run(trace, options, SimulationListener.NONE).getFirst();
    }

    /** Uses of single blocks: {@code key,size} between blanks. */
    private Trace trace(String uses) throws IOException {
        return TraceReader.read(Files.writeString(
                folder.resolve("t.csv"), "key,size\n" + uses.strip().replace(' ', '\n') + "\n"));
    }
}
