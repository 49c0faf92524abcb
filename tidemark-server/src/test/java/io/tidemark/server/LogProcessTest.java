package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a server process that finds a damaged journal writes to its log. */
@Timeout(120)
class LogProcessTest {
    private static final int BLOCKS = 500;
    private static final int BLOCK_BYTES = 64 << 10;
    private static final long ANSWER_MILLIS = 10_000;
    private static final long POLL_MILLIS = 50;
    private static final int DAMAGE_AT = 5_000;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path folder;

    private Path ssd() {
        return folder.resolve("ssd");
    }

    @BeforeEach
    void aServerLeavesADamagedJournalBehind() throws Exception {
        try (ServeProcess server = start();
                RespConnection client = connect(server)) {
            for (int block = 0; block < BLOCKS; block++) {
                client.call("SET", "block-" + block, "%08d".formatted(block).repeat(BLOCK_BYTES / 8));
            }
            while (!client.call("TM.WHERE", "block-" + BLOCKS * 2 / 5)
                    .toString()
                    .contains("ssd0")) {
                Thread.sleep(POLL_MILLIS);
            }
            server.kill();
        }
        try (FileChannel journal = FileChannel.open(ssd().resolve("journal-1"), StandardOpenOption.WRITE)) {
            journal.write(ByteBuffer.wrap(new byte[] {0x55, 0x2a, 0x55, 0x2a}), DAMAGE_AT);
        }
    }

    @Test
    void asJsonEveryLineIsAnObjectWithTheWholeMessageAlsoOfTheCore() throws Exception {
        List<JsonNode> lines;
        try (ServeProcess server = start("--log-format", "json")) {
            server.awaitReady();
            lines = server.log().lines().map(JSON::readTree).toList();
        }
        assertThat(lines).anySatisfy(line -> {
            assertThat(line.get("level").asString()).isEqualTo("WARN");
            assertThat(line.get("loggerName").asString()).startsWith("io.tidemark.core.medium.");
            assertThat(line.get("formattedMessage").asString()).contains("journal 1 is damaged");
        });
        assertThat(lines).allSatisfy(line -> {
            assertThat(line.propertyNames())
                    .containsExactlyInAnyOrder(
                            "time", "level", "threadName", "loggerName", "formattedMessage", "throwable");
            assertThat(line.get("formattedMessage").asString()).doesNotContain("{}");
            assertThat(line.get("time").asString()).endsWith("Z");
            assertThat(Instant.parse(line.get("time").asString())).isBefore(Instant.now());
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--max-value 1Ti | 2 | flag --max-value: pool.max-value: '1Ti' is out of range; expected 1 to 512Mi",
                "--bogus | 2 | unknown option '--bogus'",
                "--redis-socket /nope/x.sock | 1 | /nope/x.sock",
            })
    void aStartThatFailsSaysSoAsJsonToo(String flags, int code, String why) throws Exception {
        try (ServeProcess server = start(("--log-format json " + flags).split(" "))) {
            assertThat(server.exitCode()).isEqualTo(code);
            List<JsonNode> lines = server.log().lines().map(JSON::readTree).toList();
            assertThat(lines.getLast().get("level").asString()).isEqualTo("ERROR");
            assertThat(lines.getLast().get("formattedMessage").asString()).contains(why);
        }
    }

    @Test
    void atLevelErrorNothingBelowIsLogged() throws Exception {
        try (ServeProcess server = start("--log-format", "json", "--log-level", "error")) {
            server.awaitReady();
            assertThat(server.log()).isEmpty();
        }
    }

    private ServeProcess start(String... more) throws IOException {
        List<String> flags = new ArrayList<>(List.of("--dram", "16Mi", "--ssd", "64Mi"));
        flags.addAll(List.of("--ssd-dir", ssd().toString(), "--redis-port", "0", "--http-port", "0"));
        flags.addAll(List.of(more));
        return ServeProcess.start(folder.resolve("state"), flags.toArray(String[]::new));
    }

    private static RespConnection connect(ServeProcess server) throws IOException {
        Endpoint socket =
                new Endpoint.Unix(Path.of(server.awaitReady().sockets().getFirst()));
        return RespConnection.open(socket, BLOCK_BYTES, ANSWER_MILLIS);
    }
}
