package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.index.replay.Trace;
import io.tidemark.index.replay.TraceReader;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.RespConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RecordingProcessTest {
    private static final int PUTS = 500;

    @TempDir
    private Path folder;

    @Test
    void aRecordingOutlivesAKillAndIsKeptByTheNextServer() throws Exception {
        Path file = folder.resolve("uses.rec");
        try (ServeProcess server = startRecording(file)) {
            try (RespConnection client = RespConnection.open(
                    Endpoint.parse(server.awaitReady().sockets().getFirst()), 64, 10_000)) {
                for (int put = 0; put < PUTS; put++) {
                    client.call("SET", "key-" + put, "value");
                }
                client.call("MGET", "key-1", "key-2", "no-key");
            }
            awaitUses(file, PUTS + 3);
            server.kill();
        }
        Trace trace = TraceReader.read(file);
        assertThat(trace.references()).isEqualTo(PUTS + 3);
        assertThat(trace.requests()).as("MGET is one of them").isEqualTo(PUTS + 1);
        byte[] killed = Files.readAllBytes(file);
        try (ServeProcess server = startRecording(file)) {
            server.awaitReady();
            assertThat(Files.readAllBytes(folder.resolve("uses.rec.1"))).isEqualTo(killed);
            assertThat(TraceReader.read(file).references()).isZero();
        }
    }

    private ServeProcess startRecording(Path file) throws Exception {
        return ServeProcess.startPlain(
                Map.of("TIDEMARK_RECORD_FILE", file.toString()), folder.resolve("state"), "--dram", "32Mi");
    }

    private static void awaitUses(Path file, int uses) throws Exception {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (TraceReader.read(file).references() < uses && System.nanoTime() - endNanos < 0) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
