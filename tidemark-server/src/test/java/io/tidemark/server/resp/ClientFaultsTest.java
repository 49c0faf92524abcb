package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.encode;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.PoolLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slow, stalled, dying and greedy clients. */
class ClientFaultsTest {
    private static final int MIB = 1 << 20;

    private static RespLimits limits(OnFull onFull, long fullWaitMillis, long stallMillis) {
        return new RespLimits(64L * MIB, onFull, fullWaitMillis, stallMillis, 0, 1_000, 16 * MIB, 16 * MIB);
    }

    /** The beginning of a SET of {@code length} bytes, with {@code sent} of them. */
    private static byte[] begunSet(String key, int length, int sent) {
        byte[] whole = encode(bytes("SET"), bytes(key), value(key, length));
        return Arrays.copyOf(whole, whole.length - 2 - (length - sent));
    }

    private static void awaitNoReservations(ServerUnderTest server) {
        await().atMost(Duration.ofSeconds(5)).until(() -> server.pool().status().reservations() == 0);
    }

    @Test
    void g96_aPutCutOffInTheMiddleGivesItsSpaceBackAndBlocksNobody() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.started();
                RawClient second = server.client()) {
            for (int sent : new int[] {0, 1, 8_000, 16_384, MIB / 2, MIB - 1}) {
                try (RawClient first = server.client()) {
                    first.send(begunSet("k", MIB, sent));
                    await().until(() -> server.pool().status().reservations() == 1);
                    assertThat(second.set("k", bytes("second " + sent))).isEqualTo("+OK\r\n");
                }
                awaitNoReservations(server);
                assertThat(second.get("k")).isEqualTo(bytes("second " + sent));
            }
        }
    }

    @Test
    void g96_aPutThatStallsIsClosedAndItsLateBytesNeverReplaceTheSecondValue() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with()
                        .limits(limits(OnFull.WAIT, 200, 150))
                        .start();
                RawClient first = server.client();
                RawClient second = server.client()) {
            first.send(begunSet("k", MIB, MIB / 2));
            assertThat(second.set("k", bytes("second"))).isEqualTo("+OK\r\n");
            assertThat(first.closedByServer()).isTrue();
            awaitNoReservations(server);
            assertThat(second.get("k")).isEqualTo(bytes("second"));
        }
    }

    @Test
    void g96_aPutPastItsDeadlineIsClosedAndItsSpaceIsBack() throws Exception {
        PoolLimits shortPuts = PoolLimits.DEFAULT.but().reservationMillis(50).build();
        try (ServerUnderTest server =
                        ServerUnderTest.with().poolLimits(shortPuts).start();
                RawClient first = server.client();
                RawClient second = server.client()) {
            byte[] whole = encode(bytes("SET"), bytes("k"), value("k", MIB));
            first.send(Arrays.copyOf(whole, whole.length / 2));
            assertThat(second.set("k", bytes("second"))).isEqualTo("+OK\r\n");
            awaitNoReservations(server);
            assertThat(first.closedByServer()).isTrue();
            assertThat(second.get("k")).isEqualTo(bytes("second"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "*2", "*2\r", "*2\r\n$3", "PIN", "PING\r\nPI", "*1\r\n$4\r\nPING\r\n*"})
    void aClientThatStopsWithinALineIsClosed(String sent) throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with()
                        .limits(limits(OnFull.WAIT, 200, 150))
                        .start();
                RawClient between = server.client();
                RawClient client = server.client()) {
            client.send(bytes(sent));
            client.drain();
            assertThat(counter(server, "tidemark_resp_closed_connections_total"))
                    .isEqualTo(1);
            assertThat(between.call("PING"))
                    .as("a client between commands stays")
                    .isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void aClientThatTakesNoRepliesIsClosedAndLetsGoOfItsPins() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with()
                        .limits(limits(OnFull.WAIT, 200, 1_000))
                        .start();
                RawClient greedy = server.client();
                RawClient other = server.client()) {
            other.set("k", value("k", 8 * MIB));
            for (int i = 0; i < 100; i++) {
                greedy.send(encode("GET", "k"));
            }
            await().until(() -> server.pool().status().pins() == 1);
            assertThat(other.call("PING")).as("others are served").isEqualTo("+PONG\r\n");
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> server.pool().status().pins() == 0);
            assertThat(other.call("INFO", "clients")).contains("connected_clients:1\r\n");
        }
    }

    @Test
    void manyClientsThatDoNotReadStopNeitherTheLoopsNorClientsThatRead() throws Exception {
        List<RawClient> greedy = new ArrayList<>();
        try (ServerUnderTest server =
                        ServerUnderTest.with().limits(tightReplies()).start();
                RawClient other = server.client();
                RawClient overTcp = server.client(0)) {
            other.set("k", value("k", 2_000));
            byte[] pipeline = repeated(encode("GET", "k"), 1_000);
            for (int i = 0; i < 160; i++) {
                greedy.add(i % 2 == 0 ? server.client() : server.client(0));
                greedy.getLast().sendInBackground(pipeline);
            }
            for (int i = 0; i < 200; i++) {
                assertThat(other.get("k")).isEqualTo(value("k", 2_000));
                assertThat(overTcp.get("k")).isEqualTo(value("k", 2_000));
            }
            assertThat(counter(server, "tidemark_resp_reply_bytes")).isLessThanOrEqualTo(MIB);
            assertThat(counter(server, "tidemark_resp_loop_failures_total")).isZero();
            assertThat(server.server().sickness()).isEmpty();
        } finally {
            for (RawClient client : greedy) {
                client.close();
            }
        }
    }

    private static RespLimits tightReplies() {
        return new RespLimits(64L * MIB, OnFull.WAIT, 200, 30_000, 0, 1_000, MIB, 16 * MIB);
    }

    private static byte[] repeated(byte[] command, int times) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            out.writeBytes(command);
        }
        return out.toByteArray();
    }

    /** The sum over the labels of a counter or gauge of the server. */
    private static long counter(ServerUnderTest server, String name) {
        AtomicLong sum = new AtomicLong();
        server.server().counters(new CounterVisitor() {
            @Override
            public void counter(String given, String help, long value, String... labels) {
                sum.addAndGet(given.equals(name) ? value : 0);
            }

            @Override
            public void gauge(String given, String help, double value, String... labels) {
                sum.addAndGet(given.equals(name) ? (long) value : 0);
            }
        });
        return sum.get();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aClientMayWriteItsWholePipelineBeforeItReadsTheFirstReply(int listener) throws Exception {
        try (ServerUnderTest server = ServerUnderTest.started();
                RawClient client = listener == 0 ? server.client(0) : server.client()) {
            byte[] value = value("k", 4_096);
            client.set("k", value);
            ByteArrayOutputStream pipeline = new ByteArrayOutputStream();
            pipeline.writeBytes(repeated(encode("GET", "k"), 20_000));
            pipeline.writeBytes(encode(bytes("SET"), bytes("last"), value("last", MIB)));
            client.send(pipeline.toByteArray());
            for (int i = 0; i < 20_000; i++) {
                assertThat(client.value()).isEqualTo(value);
            }
            assertThat(client.reply()).isEqualTo("+OK\r\n");
            assertThat(client.get("last")).isEqualTo(value("last", MIB));
        }
    }

    @Test
    void aSlowReaderThatMakesProgressIsNotClosed() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with()
                        .limits(limits(OnFull.WAIT, 200, 400))
                        .start();
                RawClient slow = server.client()) {
            slow.set("k", value("k", 8 * MIB));
            slow.send(encode("GET", "k"));
            assertThat(slow.valueInPieces(8, Duration.ofMillis(100))).isEqualTo(value("k", 8 * MIB));
        }
    }

    @Test
    void g93_stopsInTimeWithClientsConnectedAndOneThatNeverReads() throws Exception {
        ServerUnderTest server = ServerUnderTest.started();
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            clients.add(server.client());
            clients.get(i).call("PING");
        }
        clients.getFirst().set("k", value("k", 16 * MIB));
        clients.getFirst().send(encode("GET", "k"));
        clients.get(1).send(begunSet("half", MIB, 10));
        long begin = System.nanoTime();
        server.server().stop(300);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(1_800));
        assertThat(server.pool().status().pins()).isZero();
        assertThat(server.pool().status().reservations()).isZero();
        for (RawClient client : clients) {
            client.die();
        }
        server.close();
    }

    @Test
    void rejectsAtOnceWhenFullAndTheOldValueStays() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with()
                        .capacity(8L * MIB)
                        .limits(limits(OnFull.REJECT, 0, 30_000))
                        .start();
                RawClient client = server.client();
                RawClient holder = server.client()) {
            client.set("k", bytes("old"));
            holder.send(begunSet("held", 7 * MIB, 10));
            await().until(() -> server.pool().status().reservations() == 1);
            assertThat(client.set("k", new byte[4 * MIB]))
                    .isEqualTo("-OOM command not allowed when used memory > 'maxmemory'.\r\n");
            assertThat(client.get("k")).isEqualTo(bytes("old"));
        }
    }

    @Test
    void g63_aWriteThatWaitsForSpaceHoldsUpNobodyAndGoesOnWhenThereIsSome() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with()
                        .capacity(8L * MIB)
                        .limits(limits(OnFull.WAIT, 20_000, 30_000))
                        .start();
                RawClient waiter = server.client();
                RawClient other = server.client();
                RawClient holder = server.client()) {
            holder.send(begunSet("held", 7 * MIB, 10));
            await().until(() -> server.pool().status().reservations() == 1);
            waiter.send(encode("ECHO", "before"));
            ByteArrayOutputStream rest = new ByteArrayOutputStream();
            rest.writeBytes(encode(bytes("SET"), bytes("k"), value("k", 4 * MIB)));
            rest.writeBytes(encode("ECHO", "after"));
            Thread sender = waiter.sendInBackground(rest.toByteArray());
            assertThat(waiter.value()).isEqualTo(bytes("before"));
            await().until(() -> server.pool().status().spaceWaiters() == 1);
            assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
            holder.die();
            assertThat(waiter.reply()).isEqualTo("+OK\r\n");
            assertThat(waiter.value()).isEqualTo(bytes("after"));
            sender.join();
            assertThat(waiter.get("k")).isEqualTo(value("k", 4 * MIB));
        }
    }

    @Test
    void g63_aWriteThatFindsNoSpaceByItsDeadlineIsRefusedAndStaysInStep() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with()
                        .capacity(8L * MIB)
                        .limits(limits(OnFull.WAIT, 100, 30_000))
                        .start();
                RawClient waiter = server.client();
                RawClient holder = server.client()) {
            holder.send(begunSet("held", 7 * MIB, 10));
            await().until(() -> server.pool().status().reservations() == 1);
            assertThat(waiter.set("k", new byte[4 * MIB])).startsWith("-OOM ");
            assertThat(waiter.call("GET", "k")).isEqualTo("$-1\r\n");
            assertThat(waiter.set("k", new byte[MIB / 2])).isEqualTo("+OK\r\n");
        }
    }

    @Test
    void g63_furtherWritesAreRefusedWhenTooManyWait() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with()
                        .capacity(8L * MIB)
                        .poolLimits(PoolLimits.DEFAULT.but().spaceWaiters(4).build())
                        .limits(limits(OnFull.WAIT, 20_000, 30_000))
                        .start();
                RawClient holder = server.client();
                RawClient fifth = server.client()) {
            holder.send(begunSet("held", 7 * MIB, 10));
            await().until(() -> server.pool().status().reservations() == 1);
            List<RawClient> waiters = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                RawClient waiter = server.client();
                waiters.add(waiter);
                waiter.send(begunSet("w" + i, 2 * MIB, 100));
            }
            await().until(() -> server.pool().status().spaceWaiters() == 4);
            assertThat(fifth.set("k", new byte[2 * MIB])).startsWith("-OOM ");
            for (RawClient waiter : waiters) {
                waiter.die();
            }
        }
    }

    @Test
    void g41_lookUpsOfEverythingDoNotStopPuts() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.with().capacity(16L * MIB).start();
                RawClient looking = server.client();
                RawClient putting = server.client()) {
            List<String> exists = new ArrayList<>(List.of("EXISTS"));
            for (int i = 0; i < 400; i++) {
                exists.add("k" + i);
            }
            int refused = 0;
            for (int i = 0; i < 400; i++) {
                refused += putting.set("k" + i, value("k" + i, 128 << 10)).startsWith("+OK") ? 0 : 1;
                if (i % 10 == 0) {
                    looking.call(exists.toArray(String[]::new));
                }
            }
            assertThat(refused).isZero();
        }
    }

    @Test
    void g75_keysUpToTheMaximumWorkAndLongerOnesAreRefusedBeforeAnyByteIsStored() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.started();
                RawClient client = server.client()) {
            for (int length : new int[] {1, 200, 255, 256, 1_000, 4_096, 65_536}) {
                String key = "k".repeat(length);
                assertThat(client.set(key, value(key, 5_000))).isEqualTo("+OK\r\n");
                assertThat(client.get(key)).isEqualTo(value(key, 5_000));
                assertThat(client.call("EXISTS", key)).isEqualTo(":1\r\n");
            }
            long blocks = server.pool().blocks();
            String tooLong = "k".repeat(65_537);
            assertThat(client.set(tooLong, value("v", 5_000)))
                    .isEqualTo("-ERR argument of 65537 bytes; expected at most 65536\r\n");
            assertThat(client.call("GET", tooLong)).startsWith("-ERR argument of 65537 bytes");
            assertThat(server.pool().blocks()).isEqualTo(blocks);
            assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void g97_oneValueWinsPerKeyWhenManyWritersRace() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.started();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> wins = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                int writer = i;
                Callable<Integer> race = () -> race(server, writer);
                wins.add(threads.submit(race));
            }
            int total = 0;
            for (Future<Integer> win : wins) {
                total += win.get();
            }
            assertThat(total).isEqualTo(200);
        }
    }

    /** Sets each key unless it exists; the number of keys this writer won. */
    private static int race(ServerUnderTest server, int writer) throws IOException {
        int won = 0;
        try (RawClient client = server.client()) {
            for (int k = 0; k < 200; k++) {
                byte[] mine = value("writer" + writer, 6_000);
                client.send(encode(bytes("SET"), bytes("key" + k), mine, bytes("NX")));
                boolean first = client.reply().startsWith("+OK");
                won += first ? 1 : 0;
                assertThat(Arrays.equals(client.get("key" + k), mine)).isEqualTo(first);
            }
        }
        return won;
    }

    @Test
    void g99_anEmptyValueIsAHitOfLengthZeroAndAnEmptyKeyIsRefused() throws Exception {
        try (ServerUnderTest server = ServerUnderTest.started();
                RawClient client = server.client()) {
            for (int length : new int[] {0, 1, 0}) {
                client.set("k", new byte[length]);
                assertThat(client.get("k")).hasSize(length);
                assertThat(client.call("EXISTS", "k")).isEqualTo(":1\r\n");
                assertThat(client.call("STRLEN", "k")).isEqualTo(":" + length + "\r\n");
            }
            String refusal = "-ERR empty key; expected 1 to 65536 bytes\r\n";
            assertThat(client.set("", bytes("v"))).isEqualTo(refusal);
            assertThat(client.call("GET", "")).isEqualTo(refusal);
            assertThat(client.call("MGET", "k", "")).isEqualTo(refusal);
            assertThat(client.call("MSET", "a", "1", "", "2")).isEqualTo(refusal);
            assertThat(client.call("EXISTS", "a")).isEqualTo(":0\r\n");
        }
    }

    /** Random bytes to a live server: it answers or closes, and goes on serving others. */
    @Test
    void survivesRandomInput() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (ServerUnderTest server = ServerUnderTest.started();
                RawClient sane = server.client()) {
            for (int round = 0; round < 300; round++) {
                try (RawClient mad = server.client()) {
                    mad.send(mangled(random));
                    mad.halfClose();
                    mad.drain();
                }
                assertThat(sane.call("PING"))
                        .as("seed %d round %d", seed, round)
                        .isEqualTo("+PONG\r\n");
            }
            awaitNoReservations(server);
            assertThat(server.pool().status().pins()).isZero();
        }
    }

    private static byte[] mangled(Random random) {
        String[] words = {
            "SET", "GET", "MSET", "k", "v", "EX", "10", "NX", "HELLO", "3", "MGET", "TM.PUT", "DEPTH", "-1"
        };
        byte[][] command = new byte[1 + random.nextInt(6)][];
        for (int i = 0; i < command.length; i++) {
            command[i] = random.nextInt(8) == 0
                    ? new byte[random.nextInt(50_000)]
                    : bytes(words[random.nextInt(words.length)]);
        }
        byte[] encoded = encode(command);
        for (int i = random.nextInt(4); i > 0; i--) {
            encoded[random.nextInt(encoded.length)] = (byte) random.nextInt(256);
        }
        return encoded;
    }
}
