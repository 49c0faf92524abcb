package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.encode;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletes that the device could not write down are done, and are answered with an error. */
class UnwrittenDeletesTest extends OneClientTest {
    private static final String ANSWER =
            "-ERR deleted, but it may be back after a restart: ssd0 could not write that down\r\n";

    private final SlowDevice device = new SlowDevice();

    @Override
    ServerUnderTest.Builder setUp() {
        return ServerUnderTest.with().ssd(device.sys());
    }

    @BeforeEach
    void fill() throws Exception {
        server.setOnSsd(client, "k", value("k", 100));
        client.set("here", bytes("v"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DEL k",
                "UNLINK k",
                "DEL here k",
                "EXPIRE k 0",
                "PEXPIRE k -1",
                "SET k new PXAT 1",
                "SET k new XX EXAT 1",
                "SET k new GET PXAT 1",
                "FLUSHALL",
                "FLUSHDB ASYNC",
                "TM.EVICT k DISCARD",
                "TM.EVICT here k DISCARD"
            })
    void anErrorSaysWhereItMayComeBackFrom(String command) throws Exception {
        device.takeNothing();
        assertThat(client.call(command.split(" "))).isEqualTo(ANSWER);
        assertThat(client.call("EXISTS", "k")).isEqualTo(":0\r\n");
        assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
    }

    @Test
    void whatWasInMemoryOnlyIsDeletedAsEver() throws Exception {
        device.takeNothing();
        assertThat(client.call("DEL", "here")).isEqualTo(":1\r\n");
    }

    /** The value of now is in memory; the one before it was never told to end. */
    @ParameterizedTest
    @ValueSource(strings = {"DEL k", "SET k newer PXAT 1", "SET k newer GET EXAT 1", "PEXPIRE k 0"})
    void anEndOfAnEarlierValueThatIsNotWrittenIsToldToo(String command) throws Exception {
        device.takeNothing();
        client.call("SET", "k", "new");
        assertThat(client.call(command.split(" "))).isEqualTo(ANSWER);
    }

    /** The value before it was pinned to be the reply, and is not. */
    @ParameterizedTest
    @ValueSource(strings = {"SET k new GET PXAT 1", "SET here new GET PXAT 1"})
    void anErrorInPlaceOfTheValueBeforeLetsGoOfThatOne(String command) throws Exception {
        server.setOnSsd(client, "here", bytes("old"));
        device.takeNothing();
        client.set("here", bytes("v"));
        assertThat(client.call(command.split(" "))).isEqualTo(ANSWER);
        assertThat(server.pool().status().pins()).isZero();
        assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
    }

    @Test
    void aSetOfThePastWhoseConditionFailsDeletesNothing() throws Exception {
        device.takeNothing();
        assertThat(client.call("SET", "k", "new", "NX", "PXAT", "1")).isEqualTo("$-1\r\n");
        assertThat(client.call("SET", "none", "new", "XX", "PXAT", "1")).isEqualTo("$-1\r\n");
        assertThat(client.call("EXISTS", "k")).isEqualTo(":1\r\n");
    }

    @Test
    void anOverwriteIsStored() throws Exception {
        device.takeNothing();
        client.send(encode("SET", "k", "new"));
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        assertThat(client.get("k")).isEqualTo(bytes("new"));
    }
}
