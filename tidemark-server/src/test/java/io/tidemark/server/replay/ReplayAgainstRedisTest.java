package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.index.replay.Trace;
import io.tidemark.index.replay.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replay client against the server it was not written for: whatever speaks the Redis protocol will do. */
class ReplayAgainstRedisTest {
    private static final int BLOCK_BYTES = 10_000;
    private static final int LARGE = 512 << 20;

    @TempDir
    private Path folder;

    @BeforeEach
    void redisIsInstalled() {
        Assumptions.assumeTrue(ChildServer.redisProgram().isPresent(), "redis-server is not on the PATH");
    }

    @Test
    void aPrefixStoredByOneRequestIsServedToTheNext() throws Exception {
        Trace trace = trace(chain(0, 5000, 1, 2, 3), chain(0, 6000, 1, 2, 4, 5), chain(0, 1536, 1, 2, 3));
        try (ChildServer redis = start(LARGE)) {
            ReplayCounts counts = replay(redis, trace, 1).counts();
            assertThat(counts.prefixHits()).isEqualTo(5);
            assertThat(counts.tokensSaved()).isEqualTo(5 * 512);
            assertThat(counts.storedBlocks()).isEqualTo(5);
            assertThat(counts.references()).isEqualTo(10);
            assertThat(counts.requests()).isEqualTo(3);
            assertThat(counts.bytesLoaded()).isEqualTo(5 * BLOCK_BYTES);
            assertClean(counts);
        }
    }

    @Test
    void longChainsAndManyClientsLoseNothing() throws Exception {
        String[] requests = new String[40];
        for (int i = 0; i < requests.length; i++) {
            int client = i;
            requests[i] = chain(
                    0,
                    300 * 512,
                    IntStream.range(0, 300)
                            .map(j -> j < 200 ? j : client * 1000 + j)
                            .toArray());
        }
        try (ChildServer redis = start(LARGE)) {
            ReplayCounts counts = replay(redis, trace(requests), 4).counts();
            assertThat(counts.requests()).isEqualTo(40);
            assertThat(counts.prefixHits()).isBetween(36L * 200, 39L * 200);
            assertClean(counts);
        }
    }

    @Test
    void bytesThatSomeoneElseChangedAreCounted() throws Exception {
        Trace trace = trace(chain(0, 1024, 1, 2));
        try (ChildServer redis = start(LARGE)) {
            assertClean(replay(redis, trace, 1).counts());
            try (RespConnection other = RespConnection.open(redis.endpoint(), 0, 5000)) {
                other.call("SETRANGE", "tidemark:replay:" + BLOCK_BYTES + ":1", "77", "four");
                other.call("SET", "tidemark:replay:" + BLOCK_BYTES + ":0", "short");
            }
            ReplayCounts counts = replay(redis, trace, 1).counts();
            assertThat(counts.wrongBytes()).isEqualTo(4 + BLOCK_BYTES);
            assertThat(counts.failedLoads()).isZero();
        }
    }

    @Test
    void aServerWithoutSpaceIsCountedAndTheRunGoesOn() throws Exception {
        Trace trace = trace(chain(0, 5000, 1, 2, 3), chain(0, 5000, 1, 2, 3));
        try (ChildServer redis = start(LARGE)) {
            try (RespConnection other = RespConnection.open(redis.endpoint(), 0, 5000)) {
                other.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
                other.call("CONFIG", "SET", "maxmemory", "1");
            }
            ReplayCounts counts = replay(redis, trace, 1).counts();
            assertThat(counts.refusedPuts()).isEqualTo(6);
            assertThat(counts.storedBlocks()).isZero();
            assertThat(counts.requests()).isEqualTo(2);
        }
    }

    @Test
    void requestsAreSentAtTheTimeOfTheTrace() throws Exception {
        Trace trace = trace(chain(0, 512, 1), chain(3000, 512, 2));
        try (ChildServer redis = start(LARGE)) {
            ReplayOptions options = new ReplayOptions(redis.endpoint(), 64, 1, Pace.parse("x10"));
            ReplayReport report = new Replayer(trace, options, System::nanoTime).run((counts, total, seconds) -> {});
            assertThat(report.seconds()).isGreaterThanOrEqualTo(0.3);
        }
    }

    @Test
    void noServerIsSaidAtOnce() {
        ReplayOptions options = new ReplayOptions(new Endpoint.Unix(Path.of("/nowhere/t.sock")), 64, 1, Pace.ASAP);
        assertThatThrownBy(() -> new Replayer(trace(chain(0, 1, 1)), options, System::nanoTime)
                        .run((counts, total, seconds) -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no server at unix:///nowhere/t.sock");
    }

    private static ChildServer start(long memoryBytes) throws IOException {
        return ChildServer.redis(ChildServer.redisProgram().orElseThrow(), memoryBytes);
    }

    private static ReplayReport replay(ChildServer redis, Trace trace, int clients) throws Exception {
        ReplayOptions options = new ReplayOptions(redis.endpoint(), BLOCK_BYTES, clients, Pace.ASAP);
        return new Replayer(trace, options, System::nanoTime).run((counts, total, seconds) -> {});
    }

    private static void assertClean(ReplayCounts counts) {
        assertThat(counts.wrongBytes()).isZero();
        assertThat(counts.failedLoads()).isZero();
        assertThat(counts.refusedPuts()).isZero();
    }

    private Trace trace(String... lines) throws IOException {
        return TraceReader.read(Files.write(folder.resolve("trace.jsonl"), List.of(lines)));
    }

    private static String chain(long timestampMillis, int inputTokens, int... blocks) {
        return "{\"timestamp\": %d, \"input_length\": %d, \"hash_ids\": %s}"
                .formatted(timestampMillis, inputTokens, Arrays.toString(blocks));
    }
}
