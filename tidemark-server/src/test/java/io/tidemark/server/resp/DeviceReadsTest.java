package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.encode;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.pool.DeviceReads;
import io.tidemark.core.pool.PoolLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are on SSD only, on a server with one event loop: nobody else waits for the device. */
class DeviceReadsTest extends OneClientTest {
    private static final int LENGTH = 200_000;
    /** What one checksum is for. */
    private static final long UNIT = 65_536;
    /** Looks at deadlines every 100 ms. */
    private static final RespLimits QUICK = new RespLimits(1 << 20, OnFull.WAIT, 200, 400, 0, 100, 1 << 20, 1 << 20);

    private final SlowDevice device = new SlowDevice();

    @Override
    ServerUnderTest.Builder setUp() {
        return ServerUnderTest.with().ssd(device.sys()).loops(1);
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
            await().until(() -> reader.call("GET", "k").equals(bulk(value("k", LENGTH), 0, LENGTH)));
        }
    }

    @Test
    void partsOfAValueReadTheirUnitsOnly() throws Exception {
        byte[] value = value("k", 1 << 20);
        server.setOnSsd(client, "k", value);
        long before = device.readBytes();
        assertThat(client.call("GETRANGE", "k", "70000", "70009")).isEqualTo(bulk(value, 70_000, 70_010));
        assertThat(device.readBytes() - before).isEqualTo(UNIT);
        assertThat(client.call("TM.GETRANGES", "k", "1048570", "6", "0", "3", "65530", "10"))
                .isEqualTo(
                        "*3\r\n" + bulk(value, 1_048_570, 1_048_576) + bulk(value, 0, 3) + bulk(value, 65_530, 65_540));
        assertThat(device.readBytes() - before).isEqualTo(4 * UNIT);
        assertThat(client.call("TM.GETRANGES", "k", "0", "1", "1048570", "7"))
                .startsWith("-ERR range beyond the value");
        assertThat(client.call("GETRANGE", "k", "9", "3")).isEqualTo("$0\r\n\r\n");
        assertThat(device.readBytes() - before).as("nothing to read").isEqualTo(4 * UNIT);
    }

    /** Redis's own rules for the range are compared with a real one elsewhere; here memory and device have to agree. */
    @Test
    void partsAreTheSameFromMemoryAndFromADevice() throws Exception {
        Random random = new Random(7);
        client.set("memory", value("v", LENGTH));
        server.setOnSsd(client, "device", value("v", LENGTH));
        for (int i = 0; i < 200; i++) {
            List<String> ranges = new ArrayList<>();
            for (int j = random.nextInt(4); j >= 0; j--) {
                ranges.add(Integer.toString(random.nextInt(LENGTH)));
                ranges.add(Integer.toString(1 + random.nextInt(1 << random.nextInt(18))));
            }
            String from = Integer.toString(random.nextInt(3 * LENGTH) - 3 * LENGTH / 2);
            String to = Integer.toString(random.nextInt(3 * LENGTH) - 3 * LENGTH / 2);
            assertThat(client.call(command("TM.GETRANGES", "device", ranges)))
                    .as("seed 7, round %d, %s", i, ranges)
                    .isEqualTo(client.call(command("TM.GETRANGES", "memory", ranges)));
            assertThat(client.call("GETRANGE", "device", from, to))
                    .as("seed 7, round %d, %s to %s", i, from, to)
                    .isEqualTo(client.call("GETRANGE", "memory", from, to));
        }
    }

    private static String[] command(String name, String key, List<String> more) {
        return Stream.concat(Stream.of(name, key), more.stream()).toArray(String[]::new);
    }

    private static String bulk(byte[] value, int from, int to) {
        String part = new String(value, from, to - from, StandardCharsets.ISO_8859_1);
        return "$" + part.length() + "\r\n" + part + "\r\n";
    }

    /** The end of the copy below is written down before the answer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET k new",
                "SET k new GET",
                "SETEX k 100 new",
                "MSET k new j new",
                "DEL k",
                "EXPIRE k 0",
                "FLUSHALL"
            })
    void otherClientsOfTheLoopAreAnsweredWhileAWriteHangs(String command) throws Exception {
        server.setOnSsd(client, "k", value("k", LENGTH));
        device.hang("pwrite");
        client.send(encode(command.split(" ")));
        await().until(() -> server.server().jobs().running() == 1);
        try (RawClient other = server.client()) {
            assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
            assertThat(other.set("new", bytes("v"))).isEqualTo("+OK\r\n");
        }
        device.release();
        assertThat(client.reply()).matches("(?s)\\+OK\r\n|:1\r\n|\\$200000.*");
        assertThat(client.call("GET", "k")).isEqualTo(command.contains("new") ? "$3\r\nnew\r\n" : "$-1\r\n");
    }

    @Test
    void aDeviceThatTakesNoWritesHoldsUpNoChangeOfBlocksInMemory() throws Exception {
        List<RawClient> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            server.setOnSsd(client, "k" + i, bytes("v"));
        }
        client.set("here", bytes("v"));
        device.hang("pwrite");
        for (int i = 0; i < 6; i++) {
            waiting.add(server.client());
            waiting.getLast().send(encode("DEL", "k" + i));
        }
        await().until(() -> server.server().jobs().waiting() == 2);
        assertThat(client.call("SET", "here", "new")).isEqualTo("+OK\r\n");
        assertThat(client.call("TM.EVICT", "here", "DISCARD")).startsWith("*2\r\n$5\r\nFREED");
        client.set("here", bytes("v"));
        assertThat(client.call("DEL", "here", "nothing")).isEqualTo(":1\r\n");
        device.release();
        for (RawClient other : waiting) {
            assertThat(other.reply()).isEqualTo(":1\r\n");
            other.close();
        }
    }

    @Test
    void statusSaysWhyADeviceIsOutOfUse() throws Exception {
        for (int i = 0; i < 3; i++) {
            server.setOnSsd(client, "k" + i, bytes("v"));
        }
        assertThat(client.call("TM.STATUS")).contains("$7\r\nillness\r\n$0\r\n");
        device.breakDown();
        for (int i = 0; i < 3; i++) {
            client.call("GET", "k" + i);
        }
        assertThat(client.call("TM.STATUS")).containsPattern("illness\r\n\\$[1-9][0-9]*\r\n[a-z]");
    }

    @Test
    void valuesOfMgetAreReadFromADeviceSideBySideAndAnsweredInOrder() throws Exception {
        String[] command = mgetOfDeviceAndMemory(server, client);
        device.hang();
        client.send(encode(command));
        await().until(() -> server.pool().status().pins() == 9);
        try (RawClient other = server.client()) {
            assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
        }
        device.release();
        assertThat(client.reply()).isEqualTo(mgetReply());
        await().until(() -> server.pool().status().pins() == 0);
    }

    @Test
    void readsAheadThatAreRefusedRefuseNoValueOfMget() throws Exception {
        PoolLimits fewPins = PoolLimits.DEFAULT.but().pinnedShare(0.01).build(); // three values of LENGTH
        try (ServerUnderTest crowded = ServerUnderTest.with()
                        .ssd(device.sys())
                        .poolLimits(fewPins)
                        .start();
                RawClient reader = crowded.client()) {
            String[] command = mgetOfDeviceAndMemory(crowded, reader);
            assertThat(reader.call(command)).isEqualTo(mgetReply());
            await().until(() -> crowded.pool().status().pins() == 0);
        }
    }

    @Test
    void aClientThatGoesAwayDuringItsMgetLeavesNothing() throws Exception {
        String[] command = mgetOfDeviceAndMemory(server, client);
        device.hang();
        RawClient dying = server.client();
        dying.send(encode(command));
        await().until(() -> server.pool().status().pins() == 9);
        dying.die();
        device.release();
        await().until(() -> server.pool().status().pins() == 0);
        server.pool().checkInvariants();
    }

    /** Twelve values on SSD, one in memory and one that is missing. */
    private static String[] mgetOfDeviceAndMemory(ServerUnderTest server, RawClient client) throws Exception {
        List<String> command = new ArrayList<>(List.of("MGET"));
        for (int i = 0; i < 12; i++) {
            server.setOnSsd(client, "k" + i, value("k" + i, LENGTH));
            command.add("k" + i);
        }
        client.set("here", bytes("v"));
        command.add(3, "here");
        command.add(6, "nothing");
        return command.toArray(String[]::new);
    }

    private static String mgetReply() {
        List<String> replies = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            replies.add(bulk(value("k" + i, LENGTH), 0, LENGTH));
        }
        replies.add(2, "$1\r\nv\r\n");
        replies.add(5, "$-1\r\n");
        return "*14\r\n" + String.join("", replies);
    }

    @Test
    void aValueOnADeviceIsReadOnceForTheSetThatReplacesIt() throws Exception {
        server.setOnSsd(client, "k", value("k", LENGTH));
        long before = device.readBytes();
        assertThat(client.call("SET", "k", "new", "GET")).isEqualTo(bulk(value("k", LENGTH), 0, LENGTH));
        assertThat(device.readBytes() - before).isLessThan(2 * LENGTH);
        assertThat(client.get("k")).isEqualTo(bytes("new"));
        await().until(() -> server.pool().status().pins() == 0);
        server.pool().checkInvariants();
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
