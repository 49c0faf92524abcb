package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.encode;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.pool.DeviceReads;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are on SSD only, on a server with one event loop: nobody else waits for the device. */
class DeviceReadsTest {
    private static final int LENGTH = 200_000;
    /** Looks at deadlines every 100 ms. */
    private static final RespLimits QUICK =
            new RespLimits(1 << 20, OnFull.WAIT, 200, 16, 400, 0, 100, 1 << 20, 1 << 20);

    private final SlowDevice device = new SlowDevice();
    private ServerUnderTest server;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        server = ServerUnderTest.with().ssd(device.sys()).loops(1).start();
        client = server.client();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET k",
                "MGET k",
                "MGET here k",
                "GETRANGE k 0 -1",
                "TM.GETRANGES k 0 200000",
                "TM.GETRANGES k 0 10 199990 10",
                "SET k new GET"
            })
    void otherClientsOfTheLoopAreAnsweredWhileAReadHangs(String command) throws Exception {
        server.setOnSsd(client, "k", value("k", LENGTH));
        client.set("here", bytes("v"));
        String expected = expected(command);
        device.hang();
        client.send(encode(command.split(" ")));
        client.send(encode("PING"));
        await().until(() -> server.pool().status().pins() == 1);
        try (RawClient other = server.client()) {
            assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
            assertThat(other.call("GET", "here")).isEqualTo("$1\r\nv\r\n");
        }
        device.release();
        assertThat(client.reply()).isEqualTo(expected);
        assertThat(client.reply()).as("what was sent behind it comes after it").isEqualTo("+PONG\r\n");
    }

    private static String expected(String command) {
        String all = new String(value("k", LENGTH), StandardCharsets.ISO_8859_1);
        String whole = "$" + LENGTH + "\r\n" + all + "\r\n";
        return switch (command) {
            case "MGET k", "TM.GETRANGES k 0 200000" -> "*1\r\n" + whole;
            case "MGET here k" -> "*2\r\n$1\r\nv\r\n" + whole;
            case "TM.GETRANGES k 0 10 199990 10" ->
                "*2\r\n$10\r\n" + all.substring(0, 10) + "\r\n$10\r\n" + all.substring(199_990) + "\r\n";
            default -> whole;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET k", "MGET k nothing", "GETRANGE k 0 9", "TM.GETRANGES k 0 10", "SET k new GET"})
    void aDeviceThatDoesNotAnswerIsNoMiss(String command) throws Exception {
        try (ServerUnderTest impatient = ServerUnderTest.with()
                        .ssd(device.sys())
                        .loops(1)
                        .deviceReads(new DeviceReads(100, 2, 64 << 20))
                        .limits(QUICK)
                        .start();
                RawClient reader = impatient.client()) {
            impatient.setOnSsd(reader, "k", value("k", LENGTH));
            device.hang();
            assertThat(reader.call(command.split(" "))).startsWith("-TRYAGAIN");
            assertThat(reader.call("PING")).isEqualTo("+PONG\r\n");
            device.release();
            await().until(() -> impatient.pool().status().pins() == 0);
            assertThat(reader.get("k")).isEqualTo(value("k", LENGTH));
        }
    }

    @Test
    void aClientThatGoesAwayDuringItsReadLeavesNothing() throws Exception {
        server.setOnSsd(client, "k", value("k", LENGTH));
        device.hang();
        RawClient dying = server.client();
        dying.send(encode("GET", "k"));
        await().until(() -> server.pool().status().pins() == 1);
        dying.die();
        device.release();
        await().until(() -> server.pool().status().pins() == 0);
        assertThat(client.get("k")).isEqualTo(value("k", LENGTH));
    }
}
