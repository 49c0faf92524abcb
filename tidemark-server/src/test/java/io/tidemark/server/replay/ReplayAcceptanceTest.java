package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import io.tidemark.core.medium.SysException;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.Promotion;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import io.tidemark.index.replay.CacheSize;
import io.tidemark.index.replay.Marks;
import io.tidemark.index.replay.Simulation;
import io.tidemark.index.replay.SimulationListener;
import io.tidemark.index.replay.SimulationOptions;
import io.tidemark.index.replay.TierSizes;
import io.tidemark.index.replay.Trace;
import io.tidemark.index.replay.TraceReader;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.RespListener;
import io.tidemark.server.resp.RespOptions;
import io.tidemark.server.resp.RespServer;
import io.tidemark.testing.SharedData;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job: a production trace against servers that hold a part of its blocks, in one tier and in two. */
class ReplayAcceptanceTest {
    private static final int BLOCK_BYTES = 16 * 1024;
    private static final CacheSize SIZE = CacheSize.parse("5%");

    /**
     * For the slice. At 5 % of it the hits hang on when the drains happen to fall: the simulation itself moves by 3 % when a
     * mark is moved by 0.01, at 10 % by less than 1 %.
     */
    private static final CacheSize SLICE_SIZE = CacheSize.parse("10%");

    private static final io.tidemark.core.pool.Marks MARKS = io.tidemark.core.pool.Marks.DEFAULT;

    @TempDir
    private Path folder;

    @Test
    void aSliceOfAProductionTraceLosesNothingAndHitsAsOftenAsTheSimulation() throws Exception {
        Path slice = folder.resolve("slice.jsonl.gz");
        try (InputStream in = Demo.class.getResourceAsStream("conversation-slice.jsonl.gz")) {
            assertThat(in).isNotNull();
            Files.copy(in, slice);
        }
        assertServed(TraceReader.read(slice), SLICE_SIZE);
    }

    @Tag("soak")
    @Test
    void theWholeTraceLosesNothingAndHitsAsOftenAsTheSimulation() throws Exception {
        assertServed(TraceReader.read(SharedData.require("traces/conversation_trace.jsonl.gz")), SIZE);
    }

    @Test
    void aSliceThroughTwoTiersLosesNothingAndHitsAsOftenAsTheSimulation() throws Exception {
        Path slice = folder.resolve("slice.jsonl.gz");
        try (InputStream in = Demo.class.getResourceAsStream("conversation-slice.jsonl.gz")) {
            assertThat(in).isNotNull();
            Files.copy(in, slice);
        }
        assertServedInTwoTiers(TraceReader.read(slice));
    }

    @Tag("soak")
    @Test
    void theWholeTraceThroughTwoTiersLosesNothingAndHitsAsOftenAsTheSimulation() throws Exception {
        assertServedInTwoTiers(TraceReader.read(SharedData.require("traces/conversation_trace.jsonl.gz")));
    }

    private void assertServed(Trace trace, CacheSize size) throws Exception {
        ReplayReport report =
                replay(trace, TierConfig.of("dram", MARKS, dram((long) size.blocks(trace) * BLOCK_BYTES)));
        SimulationOptions options = new SimulationOptions(
                List.of("lru+np"), List.of(size), Optional.of(Marks.parse("0.9:0.7")), Optional.empty());
        assertGood(trace, report, options);
    }

    /** Memory for 2 % of the blocks over an SSD for about 20 %. */
    private void assertServedInTwoTiers(Trace trace) throws Exception {
        int dramBlocks = CacheSize.parse("2%").blocks(trace);
        long ssdBytes = (long) CacheSize.parse("20%").blocks(trace) * BLOCK_BYTES;
        SsdMedium ssd = SsdMedium.open(
                NativeSys.INSTANCE, SsdOptions.of("ssd0", folder.resolve("ssd"), ssdBytes + ssdBytes / 20 + (2 << 20)));
        ssd.copies().trackOrder("lru+np");
        TierSizes sizes = TierSizes.parse(
                "dram=%d,ssd=%d".formatted(dramBlocks, ssd.ledger().capacityBytes() / BLOCK_BYTES));
        ReplayReport report = replay(
                trace,
                TierConfig.of("dram", MARKS, dram((long) dramBlocks * BLOCK_BYTES))
                        .offloadingTo("ssd"),
                TierConfig.of("ssd", MARKS, new TierMember(ssd, 1)).promoting(new Promotion(1, true)));
        SimulationOptions options = new SimulationOptions(
                List.of("lru+np"), List.of(), Optional.of(Marks.parse("0.9:0.7")), Optional.of(sizes));
        assertGood(trace, report, options);
    }

    private static void assertGood(Trace trace, ReplayReport report, SimulationOptions options) {
        ReplayCounts counts = report.counts();
        assertThat(counts.requests()).isEqualTo(trace.requests());
        assertThat(counts.wrongBytes()).isZero();
        assertThat(counts.failedLoads()).isZero();
        assertThat(report.droppedOnlyCopies()).isZero();
        long puts = counts.storedBlocks() + counts.refusedPuts();
        assertThat(counts.refusedPuts()).as("refused of %d puts", puts).isLessThanOrEqualTo(puts / 1000);
        long simulated = Simulation.run(trace, options, SimulationListener.NONE)
                .getFirst()
                .prefixHits();
        assertThat(counts.prefixHits())
                .as("prefix hits, simulated %d", simulated)
                .isGreaterThanOrEqualTo((long) (0.97 * simulated));
    }

    private static TierMember dram(long bytes) throws SysException {
        DramMedium dram = DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", bytes));
        dram.copies().trackOrder("lru+np");
        return new TierMember(dram, 1);
    }

    private ReplayReport replay(Trace trace, TierConfig... tiers) throws Exception {
        Path socket = folder.resolve("t.sock");
        RespListener listener = RespListener.of(new ListenAddress.UnixSocket(socket));
        try (Pool pool = Pool.open(PoolConfig.of(tiers));
                RespServer server = RespServer.start(pool, RespOptions.of(List.of(listener), "test"))) {
            ReplayOptions options = new ReplayOptions(new Endpoint.Unix(socket), BLOCK_BYTES, 1, Pace.ASAP);
            ReplayReport report = new Replayer(trace, options, System::nanoTime).run((counts, total, seconds) -> {});
            assertThat(server.port(0)).as("a Unix socket has no port").isEmpty();
            return report;
        }
    }
}
