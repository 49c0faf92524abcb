package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.encode;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values and replies over real sockets. */
class RespServerTest extends OneClientTest {
    private static final int MIB = 1 << 20;

    @Override
    ServerUnderTest.Builder setUp() {
        return ServerUnderTest.with().capacity(256L * MIB);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2_047, 2_048, 2_049, 4_095, 4_096, 4_097, 16_300, 16_384, 65_536, 1 << 20, 64 << 20})
    void returnsTheBytesThatWereSet(int length) throws Exception {
        byte[] value = value("k", length);
        assertThat(client.set("k", value)).isEqualTo("+OK\r\n");
        assertThat(client.get("k")).isEqualTo(value);
        assertThat(client.call("STRLEN", "k")).isEqualTo(":" + length + "\r\n");
    }

    @Test
    void overwritesWithAnyOtherLength() throws Exception {
        for (int length : new int[] {10, 70_000, 0, 5_000, 10, 10}) {
            byte[] value = value("k", length);
            client.set("k", value);
            assertThat(client.get("k")).isEqualTo(value);
        }
    }

    @Test
    void takesKeysOfAnyBytes() throws Exception {
        byte[] every = new byte[256];
        for (int i = 0; i < 256; i++) {
            every[i] = (byte) i;
        }
        client.send(encode(bytes("SET"), every, bytes("v")));
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        client.send(encode(bytes("GET"), every));
        assertThat(client.value()).isEqualTo(bytes("v"));
        assertThat(client.call("EXISTS", "\0\r\n")).isEqualTo(":0\r\n");
    }

    @Test
    void refusesAValueAboveTheLimitAndStaysInStep() throws Exception {
        client.send(encode(bytes("SET"), bytes("k"), new byte[(64 << 20) + 1]));
        assertThat(client.reply()).isEqualTo("-ERR value of 67108865 bytes; expected at most 67108864\r\n");
        assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
    }

    @Test
    void answersAPipelineInOrder() throws Exception {
        ByteArrayOutputStream commands = new ByteArrayOutputStream();
        for (int i = 0; i < 5_000; i++) {
            commands.writeBytes(encode("SET", "k" + i, "v" + i));
            commands.writeBytes(encode("GET", "k" + i));
        }
        Thread sender = client.sendInBackground(commands.toByteArray());
        for (int i = 0; i < 5_000; i++) {
            assertThat(client.reply()).isEqualTo("+OK\r\n");
            assertThat(client.value()).isEqualTo(bytes("v" + i));
        }
        sender.join();
    }

    @Test
    void landsPipelinedValuesOfMixedLengthsBetweenSmallCommands() throws Exception {
        ByteArrayOutputStream commands = new ByteArrayOutputStream();
        for (int i = 0; i < 300; i++) {
            commands.writeBytes(encode(bytes("SET"), bytes("k" + i), value("k" + i, i * 997 % 90_000)));
            if (i % 5 == 0) {
                commands.writeBytes(encode("ECHO", "e" + i));
            }
        }
        Thread sender = client.sendInBackground(commands.toByteArray());
        for (int i = 0; i < 300; i++) {
            assertThat(client.reply()).isEqualTo("+OK\r\n");
            if (i % 5 == 0) {
                assertThat(client.value()).isEqualTo(bytes("e" + i));
            }
        }
        sender.join();
        for (int i = 0; i < 300; i++) {
            assertThat(client.get("k" + i)).isEqualTo(value("k" + i, i * 997 % 90_000));
        }
    }

    /** Half of the replies do not fit into the socket: the server has to stop reading, and go on where it stopped. */
    @Test
    void keepsOrderAndBytesWhenAClientReadsLate() throws Exception {
        byte[] value = value("big", MIB);
        client.set("big", value);
        ByteArrayOutputStream commands = new ByteArrayOutputStream();
        for (int i = 0; i < 64; i++) {
            commands.writeBytes(encode("GET", "big"));
            commands.writeBytes(encode("ECHO", "after " + i));
        }
        client.send(commands.toByteArray());
        assertThat(server.pool().status().pins()).isLessThanOrEqualTo(2);
        for (int i = 0; i < 64; i++) {
            assertThat(client.value()).isEqualTo(value);
            assertThat(client.value()).isEqualTo(bytes("after " + i));
        }
        await().until(() -> server.pool().status().pins() == 0);
    }

    @Test
    void readsAndSetsManyKeysAtOnce() throws Exception {
        byte[][] mset = new byte[1 + 2 * 200][];
        byte[][] mget = new byte[2 + 200][];
        mset[0] = bytes("MSET");
        mget[0] = bytes("MGET");
        mget[201] = bytes("missing");
        for (int i = 0; i < 200; i++) {
            mset[1 + 2 * i] = bytes("k" + i);
            mset[2 + 2 * i] = value("k" + i, i * 500);
            mget[1 + i] = bytes("k" + i);
        }
        client.send(encode(mset));
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        client.send(encode(mget));
        StringBuilder expected = new StringBuilder("*201\r\n");
        for (int i = 0; i < 200; i++) {
            expected.append("$").append(i * 500).append("\r\n");
            expected.append(new String(value("k" + i, i * 500), StandardCharsets.ISO_8859_1));
            expected.append("\r\n");
        }
        assertThat(client.reply()).isEqualTo(expected + "$-1\r\n");
    }

    /** More than fits into the output bound: values are pinned as the client takes them, not all at once. */
    @Test
    void pinsFewValuesOfALargeMgetAtATime() throws Exception {
        byte[] value = value("v", MIB);
        client.set("v", value);
        byte[][] mget = new byte[101][];
        Arrays.fill(mget, bytes("v"));
        mget[0] = bytes("MGET");
        client.send(encode(mget));
        client.send(encode("PING"));
        assertThat(client.reply().length()).isEqualTo("*100\r\n".length() + 100 * (MIB + "$1048576\r\n\r\n".length()));
        assertThat(client.reply()).isEqualTo("+PONG\r\n");
        await().until(() -> server.pool().status().pins() == 0);
    }

    @Test
    void repliesWithTheErrorAndClosesOnMalformedInput() throws Exception {
        client.send(bytes("*1\r\n$4\r\nPING\r\n*1\r\n+PING\r\n"));
        assertThat(client.reply()).isEqualTo("+PONG\r\n");
        assertThat(client.reply()).isEqualTo("-ERR Protocol error: expected '$', got '+'\r\n");
        assertThat(client.closedByServer()).isTrue();
    }

    @Test
    void answersWhatWasSentBeforeAHalfClose() throws Exception {
        client.send(bytes("PING\r\nECHO last\r\n"));
        client.halfClose();
        assertThat(client.reply()).isEqualTo("+PONG\r\n");
        assertThat(client.reply()).isEqualTo("$4\r\nlast\r\n");
        assertThat(client.closedByServer()).isTrue();
    }

    @Test
    void closesAConnectionThatSpeaksHttp() throws Exception {
        client.send(bytes("POST / HTTP/1.1\r\nHost: here\r\n\r\nSET k evil\r\n"));
        assertThat(client.reply()).startsWith("-ERR unknown command 'POST'");
        assertThat(client.closedByServer()).isTrue();
        assertThat(server.pool().blocks()).isZero();
    }

    @Test
    void closesAfterQuit() throws Exception {
        assertThat(client.call("QUIT")).isEqualTo("+OK\r\n");
        assertThat(client.closedByServer()).isTrue();
    }

    @Test
    void servesTheSameBlocksOnEveryListener() throws Exception {
        client.set("shared", bytes("value"));
        try (RawClient tcp = server.client(0)) {
            assertThat(tcp.get("shared")).isEqualTo(bytes("value"));
        }
    }

    @Test
    void asksForThePasswordOfItsListener() throws Exception {
        try (ServerUnderTest guarded = ServerUnderTest.with()
                        .listener(Compat.NONE, Optional.of("secret"))
                        .start();
                RawClient open = guarded.client(0);
                RawClient closed = guarded.client(2)) {
            assertThat(open.call("PING")).isEqualTo("+PONG\r\n");
            assertThat(closed.call("GET", "k")).isEqualTo("-NOAUTH Authentication required.\r\n");
            assertThat(closed.set("k", bytes("v"))).isEqualTo("-NOAUTH Authentication required.\r\n");
            assertThat(closed.call("AUTH", "wrong"))
                    .isEqualTo("-WRONGPASS invalid username-password pair or user is disabled.\r\n");
            assertThat(closed.call("AUTH", "secret")).isEqualTo("+OK\r\n");
            assertThat(closed.set("k", value("k", 100_000))).isEqualTo("+OK\r\n");
            assertThat(open.get("k")).isEqualTo(value("k", 100_000));
        }
    }

    @Test
    void refusesConnectionsAboveTheLimit() throws Exception {
        RespLimits two = new RespLimits(MIB, OnFull.WAIT, 200, 30_000, 0, 2, MIB, MIB);
        try (ServerUnderTest small = ServerUnderTest.with().limits(two).start();
                RawClient first = small.client();
                RawClient second = small.client()) {
            assertThat(first.call("PING")).isEqualTo("+PONG\r\n");
            assertThat(second.call("PING")).isEqualTo("+PONG\r\n");
            try (RawClient third = small.client()) {
                assertThat(third.reply()).isEqualTo("-ERR max number of clients reached\r\n");
                assertThat(third.closedByServer()).isTrue();
            }
            assertThat(first.call("PING")).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void makesItsSocketForOwnerAndGroupAndRemovesIt() throws Exception {
        Path socket = server.socket();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-rw----");
        server.server().close();
        assertThat(socket).doesNotExist();
    }

    @Test
    void takesTheSocketOfADeadProcessOverButNotThatOfALivingOne(@TempDir Path directory) throws Exception {
        Path path = directory.resolve("s.sock");
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        RespOptions options = RespOptions.of(List.of(RespListener.of(new ListenAddress.UnixSocket(path))), "0");
        try (RespServer first = RespServer.start(server.pool(), options)) {
            assertThat(first.port(0)).isEmpty();
            assertThatThrownBy(() -> RespServer.start(server.pool(), options))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("another process");
            assertThat(path).exists();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mkfifo %s", "echo mine > %s", "ln -s /dev/null %s", "ln -s nowhere %s", "mkdir %s"})
    void leavesWhatIsNoSocketAlone(String make, @TempDir Path directory) throws Exception {
        Path path = directory.resolve("s.sock");
        assertThat(new ProcessBuilder("sh", "-c", make.formatted(path)).start().waitFor())
                .isZero();
        Object before = Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
        RespOptions options = RespOptions.of(List.of(RespListener.of(new ListenAddress.UnixSocket(path))), "0");
        assertThatThrownBy(() -> RespServer.start(server.pool(), options))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("no socket");
        assertThat(Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(before);
    }

    @Test
    void removesOnlyItsOwnSocketWhenItStops(@TempDir Path directory) throws Exception {
        Path path = directory.resolve("s.sock");
        RespOptions options = RespOptions.of(List.of(RespListener.of(new ListenAddress.UnixSocket(path))), "0");
        RespServer first = RespServer.start(server.pool(), options);
        Files.delete(path);
        try (RespServer second = RespServer.start(server.pool(), options)) {
            first.close();
            assertThat(path).exists();
            try (RawClient onSecond = RawClient.unix(path)) {
                assertThat(onSecond.call("PING")).isEqualTo("+PONG\r\n");
            }
            assertThat(second.sickness()).isEmpty();
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void storesBlocksWithHintsAndTellsWhereTheyAre() throws Exception {
        assertThat(client.call("TM.PUT", "a", "1", "DEPTH", "0")).isEqualTo("+STORED\r\n");
        assertThat(client.call("TM.PUT", "b", "2", "PARENT", "a", "DEPTH", "1", "TAIL", "PRIORITY", "3"))
                .isEqualTo("+STORED\r\n");
        assertThat(client.call("TM.PUT", "b", "other")).isEqualTo("+EXISTS\r\n");
        assertThat(client.get("b")).isEqualTo(bytes("2"));
        assertThat(client.call("TM.PUT", "c", "3", "DEPTH")).isEqualTo("-ERR syntax error\r\n");
        assertThat(client.call("TM.WHERE", "b")).contains("dram0", "committed");
        assertThat(client.call("TM.EVICT", "b")).startsWith("*2\r\n$5\r\nFREED\r\n:");
        assertThat(client.call("TM.EVICT", "b")).isEqualTo("*2\r\n$4\r\nNONE\r\n:0\r\n");
        assertThat(client.call("TM.WHERE", "b")).isEqualTo("*0\r\n");
        assertThat(client.call("TM.STATUS")).contains("dram0", "capacity_bytes");
    }

    @Test
    void evictsSeveralKeysWithOneAnswerEach() throws Exception {
        client.set("a", bytes("1"));
        client.set("tier", bytes("2"));

        assertThat(client.call("TM.EVICT", "a", "missing", "TIER", "dram"))
                .isEqualTo("*2\r\n*2\r\n$5\r\nFREED\r\n:4096\r\n*2\r\n$4\r\nNONE\r\n:0\r\n");
        assertThat(client.call("TM.EVICT", "tier", "BACKEND", "ssd0"))
                .startsWith("-ERR no backend 'ssd0'; expected one of ");
        assertThat(client.call("TM.EVICT", "tier", "TIER", "tape")).startsWith("-ERR no tier 'tape'; expected one of ");
        client.call("EXISTS", "tier");
        assertThat(client.call("TM.EVICT", "tier"))
                .as("the last copy of a leased block stays")
                .isEqualTo("*2\r\n$4\r\nNONE\r\n:0\r\n");
        assertThat(client.call("TM.EVICT", "tier", "DISCARD")).startsWith("*2\r\n$5\r\nFREED\r\n:");
        assertThat(client.call("TM.WHERE", "tier")).isEqualTo("*0\r\n");
    }

    @Test
    void g21_aPlaceIsMeantWhicheverWayItsNameIsWrittenAndAnUnknownOneIsRefused() throws Exception {
        for (String[] place : new String[][] {
            {},
            {"TIER", "dram"},
            {"TIER", "DRAM"},
            {"TIER", " Dram "},
            {"BACKEND", "DRAM0"},
            {"tier", "dram", "backend", "dram0 "}
        }) {
            client.set("a", bytes("1"));
            client.set("b", bytes("2"));
            List<String> call = new ArrayList<>(List.of("TM.EVICT", "a", "b"));
            Collections.addAll(call, place);
            assertThat(client.call(call.toArray(String[]::new)))
                    .as("%s", call)
                    .isEqualTo("*2\r\n*2\r\n$5\r\nFREED\r\n:4096\r\n*2\r\n$5\r\nFREED\r\n:4096\r\n");
            assertThat(client.call("TM.WHERE", "a")).isEqualTo("*0\r\n");
        }
        client.set("a", bytes("1"));
        assertThat(client.call("TM.EVICT", "a", "TIER", "hbm"))
                .isEqualTo("-ERR no tier 'hbm'; expected one of dram\r\n");
        assertThat(client.call("TM.EVICT", "a", "TIER", " ")).isEqualTo("-ERR no tier ' '; expected one of dram\r\n");
        assertThat(client.get("a")).isEqualTo(bytes("1"));
    }

    @Test
    void aMistypedOptionOfEvictEvictsNothing() throws Exception {
        client.set("a", bytes("1"));

        assertThat(client.call("TM.EVICT", "a", "DISCRD"))
                .isEqualTo("-ERR syntax error: 'DISCRD' is neither a key that is held nor an option; did you mean"
                        + " DISCARD?\r\n");
        assertThat(client.call("TM.EVICT", "a", "TIER")).contains("did you mean TIER?");
        assertThat(client.get("a")).isEqualTo(bytes("1"));
        client.set("DISCRD", bytes("2"));
        assertThat(client.call("TM.EVICT", "a", "DISCRD")).contains("FREED").doesNotContain("NONE");
    }

    @Test
    void infoCountsTheCallsOfEachCommandWhenAskedFor() throws Exception {
        client.call("SET", "k", "v");
        client.call("GET", "k");
        client.call("GET", "nothing");
        client.call("GET");
        client.call("EXPIRE", "k", "soon");
        assertThat(client.call("INFO", "commandstats"))
                .contains("# Commandstats\r\n")
                .containsPattern(
                        "cmdstat_get:calls=2,usec=\\d+,usec_per_call=\\d+\\.\\d\\d,rejected_calls=1,failed_calls=0\r\n")
                .containsPattern("cmdstat_expire:calls=1,usec=.*,rejected_calls=0,failed_calls=1\r\n")
                .doesNotContain("cmdstat_mget", "# Server");
        assertThat(client.call("INFO")).doesNotContain("cmdstat_").contains("# Keyspace");
        assertThat(client.call("INFO", "default")).doesNotContain("cmdstat_").contains("# Keyspace");
        assertThat(client.call("INFO", "all")).contains("cmdstat_set:calls=1,", "# Server");
    }

    @Test
    void rangesOfOneValueComeInTheOrderAsked() throws Exception {
        client.set("k", bytes("0123456789"));

        assertThat(client.call("TM.GETRANGES", "k", "7", "3", "0", "2", "1", "8"))
                .isEqualTo("*3\r\n$3\r\n789\r\n$2\r\n01\r\n$8\r\n12345678\r\n");
        assertThat(client.call("TM.GETRANGES", "missing", "0", "1")).isEqualTo("$-1\r\n");
        assertThat(client.call("TM.GETRANGES", "k", "0", "1", "8", "3")).startsWith("-ERR range beyond the value");
        assertThat(client.call("TM.GETRANGES", "k", "9223372036854775807", "9223372036854775807"))
                .startsWith("-ERR range beyond the value");
        assertThat(client.call("TM.GETRANGES", "k", "0", "0")).startsWith("-ERR range of 0 bytes");
        assertThat(client.call("TM.GETRANGES", "k", "0", "1", "2")).startsWith("-ERR wrong number of arguments");
        assertThat(server.pool().status().pins()).isZero();
    }

    @Test
    void tellsWhatExportersRead() throws Exception {
        client.set("k", bytes("v"));
        client.get("k");
        client.call("GET", "missing");
        client.call("EXPIRE", "k", "100");
        String info = client.call("INFO");
        assertThat(info)
                .contains("redis_version:", "connected_clients:1\r\n", "maxmemory:268435456\r\n", "keyspace_hits:1\r\n")
                .contains("maxmemory_policy:allkeys-lfu\r\n")
                .contains("keyspace_misses:1\r\n", "evicted_keys:0\r\n", "expired_keys:0\r\n", "role:master\r\n")
                .contains("tier_hits_dram:", "dropped_only_copies:0\r\n")
                .contains("db0:keys=1,expires=1,", "used_memory:", "total_commands_processed:4\r\n");
        assertThat(client.call("INFO", "replication")).contains("role:master").doesNotContain("redis_version");
    }

    @Test
    void findsEveryKeyInAScan() throws Exception {
        for (int i = 0; i < 500; i++) {
            client.set("key" + i, bytes("v"));
        }
        Set<String> found = new TreeSet<>();
        String cursor = "0";
        do {
            String[] lines = client.call("SCAN", cursor, "MATCH", "key*", "COUNT", "37", "TYPE", "string")
                    .split("\r\n", -1);
            cursor = lines[2];
            for (int i = 5; i < lines.length; i += 2) {
                found.add(lines[i]);
            }
        } while (!cursor.equals("0"));
        assertThat(found).hasSize(500).contains("key0", "key499");
    }
}
