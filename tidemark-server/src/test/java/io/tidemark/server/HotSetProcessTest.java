package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.Reply;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is read again and again stays in memory while eight times its capacity goes through a server, whose own threads
 * evict; default order and marks.
 */
@Timeout(180)
class HotSetProcessTest {
    /** 4,096 blocks of a page. */
    private static final String DRAM = "16Mi";

    private static final int VALUE_BYTES = 4_096;
    private static final int HOT = 512;
    private static final int PUTS = 32_768;
    /** Each hot block is read once in so many puts. */
    private static final int READ_EVERY = 1_024;

    private static final long ANSWER_MILLIS = 60_000;
    private static final Reply OK = new Reply.Status("OK");
    private static final String VALUE = "v".repeat(VALUE_BYTES);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"", "512Mi"})
    void staysInMemoryAndNoPutIsRefused(String ssd) throws Exception {
        List<String> flags = new ArrayList<>(List.of("--dram", DRAM, "--redis-port", "0", "--http-port", "0"));
        if (!ssd.isEmpty()) {
            flags.addAll(List.of("--ssd", ssd));
        }
        try (ServeProcess server = ServeProcess.start(folder.resolve("state"), flags.toArray(String[]::new))) {
            Path socket = Path.of(server.awaitReady().sockets().getFirst());
            try (RespConnection client = RespConnection.open(new Endpoint.Unix(socket), VALUE_BYTES, ANSWER_MILLIS)) {
                for (int hot = 0; hot < HOT; hot++) {
                    assertThat(client.call("SET", "hot-" + hot, VALUE)).isEqualTo(OK);
                }
                for (int put = 0; put < PUTS; put++) {
                    assertThat(client.call("SET", "new-" + put, VALUE))
                            .as("put %d", put)
                            .isEqualTo(OK);
                    if (put % (READ_EVERY / HOT) == 0) {
                        String hot = "hot-" + put % READ_EVERY * HOT / READ_EVERY;
                        assertThat(client.call("GET", hot)).as(hot).isEqualTo(new Reply.Bulk(VALUE));
                    }
                }
                assertThat(IntStream.range(0, HOT).filter(hot -> isInMemory(client, "hot-" + hot)))
                        .hasSize(HOT);
            }
        }
    }

    private static boolean isInMemory(RespConnection client, String key) {
        try {
            return client.call("TM.WHERE", key).toString().contains("dram");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
