package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import io.tidemark.index.replay.CacheResult;
import io.tidemark.index.replay.CacheSize;
import io.tidemark.index.replay.Simulation;
import io.tidemark.index.replay.SimulationListener;
import io.tidemark.index.replay.SimulationOptions;
import io.tidemark.index.replay.SimulationResult;
import io.tidemark.index.replay.Trace;
import io.tidemark.index.replay.TraceReader;
import io.tidemark.server.record.RecordOptions;
import io.tidemark.server.record.Recorder;
import io.tidemark.server.resp.ListenAddress;
import io.tidemark.server.resp.RespListener;
import io.tidemark.server.resp.RespOptions;
import io.tidemark.server.resp.RespServer;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trace goes through a server that records; the recording is the trace again. */
class RecordingRoundTripTest {
    private static final int BLOCK_BYTES = 4_096;

    @TempDir
    private Path folder;

    @Test
    void theSimulationOfTheRecordingHasTheIntegersOfTheTrace() throws Exception {
        Path slice = folder.resolve("slice.jsonl.gz");
        try (InputStream in = Demo.class.getResourceAsStream("conversation-slice.jsonl.gz")) {
            assertThat(in).isNotNull();
            Files.copy(in, slice);
        }
        Trace trace = TraceReader.read(slice);
        Path recording = folder.resolve("uses.rec");
        ReplayReport report = replay(trace, recording);
        assertThat(report.counts().wrongBytes() + report.counts().failedLoads()).isZero();

        Trace recorded = TraceReader.read(recording);

        assertThat(recorded.requests()).isEqualTo(trace.requests());
        assertThat(recorded.references()).isEqualTo(trace.references());
        assertThat(recorded.uniqueBlocks()).isEqualTo(trace.uniqueBlocks());
        assertThat(recorded.remarks()).containsExactly("blocks of 4096 bytes on average");
        assertThat(simulated(recorded))
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("bytes")
                .containsExactlyElementsOf(simulated(trace));
        assertThat(simulated(recorded)).allSatisfy(result -> {
            CacheResult cache = (CacheResult) result;
            assertThat(cache.bytes().orElseThrow().prefixHits()).isEqualTo(cache.prefixHits() * BLOCK_BYTES);
        });
    }

    private static List<SimulationResult> simulated(Trace trace) {
        SimulationOptions options = new SimulationOptions(
                List.of("lru", "lru+np", "lfu", "gdsf", "tlru8", "flat:lru", "opt"),
                List.of(CacheSize.parse("1%"), CacheSize.parse("5%"), CacheSize.parse("20%")),
                Optional.empty(),
                Optional.empty());
        return Simulation.run(trace, options, SimulationListener.NONE);
    }

    /** Through a server that holds a tenth of the blocks, so that reads hit, miss and meet evictions. */
    private ReplayReport replay(Trace trace, Path recording) throws Exception {
        Path socket = folder.resolve("t.sock");
        RespOptions resp = RespOptions.of(List.of(RespListener.of(new ListenAddress.UnixSocket(socket))), "test");
        DramMedium dram =
                DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", trace.uniqueBlocks() / 10L * BLOCK_BYTES));
        dram.copies().trackOrder("lru+np");
        TierConfig tier = TierConfig.of("dram", Marks.DEFAULT, new TierMember(dram, 1));
        RecordOptions options = new RecordOptions(recording, 1 << 30, 1, false);
        try (Recorder recorder =
                        Recorder.start(options, () -> 0, Clocks.system().monotonicNanos());
                Pool pool = Pool.open(PoolConfig.of(tier));
                RespServer server = RespServer.start(pool, resp, recorder)) {
            assertThat(server.sickness()).isEmpty();
            ReplayOptions replay = new ReplayOptions(new Endpoint.Unix(socket), BLOCK_BYTES, 1, Pace.ASAP);
            return new Replayer(trace, replay, System::nanoTime).run((counts, total, seconds) -> {});
        }
    }
}
