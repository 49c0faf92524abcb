package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.encode;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of the bytes that a key has on SSD already: a use, and nothing is stored. */
class EqualValuesTest extends OneClientTest {
    private static final int LENGTH = 200_000;
    /** More than records take, less than a value. */
    private static final long RECORDS = 32_768;
    /** CRC-32C's polynomial, from its highest power on. */
    private static final long POLYNOMIAL = 0x1_1EDC_6F41L;

    private static final int POLYNOMIAL_BITS = 33;

    private final SlowDevice device = new SlowDevice();

    @Override
    ServerUnderTest.Builder setUp() {
        return ServerUnderTest.with().ssd(device.sys()).loops(1);
    }

    /** The command with VALUE for its last, or its two last, values. */
    private byte[] command(String text, byte[] value) {
        return encode(Arrays.stream(text.split(" "))
                .map(word -> word.equals("VALUE") ? value : bytes(word))
                .toArray(byte[][]::new));
    }

    private String where(String key) throws Exception {
        return client.call("TM.WHERE", key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET k VALUE",
                "SET k VALUE XX",
                "SET k VALUE KEEPTTL",
                "SET k VALUE GET",
                "SETEX k 1000 VALUE",
                "PSETEX k 1000000 VALUE",
                "MSET k VALUE",
                "MSET other VALUE k VALUE",
                "SETNX k VALUE",
                "SET k VALUE NX",
                "TM.PUT k VALUE"
            })
    void equalBytesAreAUseAndStoreNothing(String text) throws Exception {
        byte[] value = value("k", LENGTH);
        server.setOnSsd(client, "k", value);
        long before = device.writtenBytes();

        client.send(command(text, value));

        assertThat(client.reply()).doesNotStartWith("-");
        assertThat(where("k")).contains("ssd0").doesNotContain("dram0");
        assertThat(device.writtenBytes() - before).isLessThan(RECORDS);
        assertThat(client.get("k")).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET k VALUE", "MSET k VALUE", "MSET other VALUE k VALUE", "SETEX k 1000 VALUE"})
    void otherBytesOfThatLengthTakeItsPlaceAndReadNothing(String text) throws Exception {
        server.setOnSsd(client, "k", value("k", LENGTH));
        byte[] other = value("other", LENGTH);
        long before = device.readBytes();

        client.send(command(text, other));

        assertThat(client.reply()).isEqualTo("+OK\r\n");
        assertThat(where("k")).contains("dram0").doesNotContain("ssd0");
        assertThat(device.readBytes()).isEqualTo(before);
        assertThat(client.get("k")).isEqualTo(other);
    }

    @Test
    void otherBytesWithTheSameChecksumsTakeItsPlace() throws Exception {
        byte[] value = value("k", LENGTH);
        server.setOnSsd(client, "k", value);
        byte[] twin = value.clone();
        for (int bit = 0; bit < POLYNOMIAL_BITS; bit++) {
            twin[5_000 + bit / 8] ^= (byte) ((POLYNOMIAL >>> (POLYNOMIAL_BITS - 1 - bit) & 1) << bit % 8);
        }
        long before = device.readBytes();

        assertThat(client.set("k", twin)).isEqualTo("+OK\r\n");

        assertThat(device.readBytes()).as("the checksums agree").isGreaterThan(before);
        assertThat(client.get("k")).isEqualTo(twin);
    }

    @Test
    void theLifeOfTheValueIsThatOfTheLastWrite() throws Exception {
        byte[] value = value("k", LENGTH);
        server.setOnSsd(client, "k", value);
        client.send(command("SETEX k 1000 VALUE", value));
        client.reply();
        client.send(command("SET k VALUE KEEPTTL", value));
        client.reply();
        assertThat(client.call("TTL", "k")).isEqualTo(":1000\r\n");
        client.send(command("MSET k VALUE", value));
        client.reply();
        assertThat(client.call("TTL", "k")).isEqualTo(":-1\r\n");
        assertThat(where("k")).contains("ssd0").doesNotContain("dram0");
    }

    @Test
    void theValueBeforeIsAnswered() throws Exception {
        byte[] value = value("k", LENGTH);
        server.setOnSsd(client, "k", value);
        client.send(command("SET k VALUE GET", value));
        assertThat(client.value()).isEqualTo(value);
    }

    @Test
    void bothPartsOfAPairStayWhereTheyAre() throws Exception {
        String data = "model@1@0@ab@half" + "kv_bytes";
        String metadata = "model@1@0@ab@half" + "metadata";
        byte[] value = value("k", LENGTH);
        client.set(metadata, bytes("shape"));
        server.setOnSsd(client, data, value);
        long before = device.writtenBytes();

        client.send(encode(bytes("MSET"), bytes(data), value, bytes(metadata), bytes("shape")));
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        client.set(metadata, bytes("shape"));
        client.set(data, value);

        assertThat(where(data)).contains("ssd0").doesNotContain("dram0");
        assertThat(device.writtenBytes() - before).isLessThan(RECORDS);

        client.send(encode(bytes("MSET"), bytes(data), value, bytes(metadata), bytes("other")));
        client.reply();
        assertThat(client.get(metadata)).isEqualTo(bytes("other"));
        assertThat(client.get(data)).isEqualTo(value);
    }

    @Test
    void ofEqualKeysInOneCommandTheLastOneCounts() throws Exception {
        byte[] value = value("k", LENGTH);
        server.setOnSsd(client, "k", value);
        client.send(encode(bytes("MSET"), bytes("k"), bytes("other"), bytes("k"), value));
        client.reply();
        assertThat(client.get("k")).isEqualTo(value);
        client.send(encode(bytes("MSET"), bytes("k"), value, bytes("k"), bytes("other")));
        client.reply();
        assertThat(client.get("k")).isEqualTo(bytes("other"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET k VALUE", "MSET k VALUE", "SETEX k 1000 VALUE"})
    void otherClientsAreAnsweredWhileTheDeviceIsRead(String text) throws Exception {
        byte[] value = value("k", LENGTH);
        server.setOnSsd(client, "k", value);
        device.hang();
        client.send(command(text, value));
        await().until(() -> server.pool().status().backends().get(1).pinnedBytes() > 0);
        try (RawClient other = server.client()) {
            assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
        }
        device.release();
        assertThat(client.reply()).isEqualTo("+OK\r\n");
    }

    @Test
    void aDeviceThatFailsCostsNoWrite() throws Exception {
        byte[] value = value("k", LENGTH);
        server.setOnSsd(client, "k", value);
        device.breakDown();
        assertThat(client.set("k", value)).isEqualTo("+OK\r\n");
        assertThat(new String(client.get("k"), StandardCharsets.ISO_8859_1))
                .isEqualTo(new String(value, StandardCharsets.ISO_8859_1));
    }
}
