package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.encode;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.NativeSys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that take long, and reads that are refused. */
class LongCommandsTest extends OneClientTest {
    private static final int MIB = 1 << 20;
    private static final int MANY = 1_000;

    @Override
    ServerUnderTest.Builder setUp() {
        return ServerUnderTest.with().ssd(NativeSys.INSTANCE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FLUSHALL", "FLUSHDB", "FLUSHALL ASYNC", "FLUSHDB SYNC"})
    void deletingEverythingHoldsUpNoOtherClient(String flush) throws Exception {
        client.set("k", bytes("v"));
        client.set("memory", bytes("v"));
        for (String key : List.of("deleted", "replaced", "expired", "evicted")) {
            server.setOnSsd(client, key, bytes("old"));
        }
        CountDownLatch busy = new CountDownLatch(1);
        server.server().jobs().forWhole().execute(() -> awaitQuietly(busy));
        List<RawClient> others = new ArrayList<>();
        client.send(encode(flush.split(" ")));
        client.send(encode("GET", "k"));
        for (int i = 0; i < 4; i++) {
            others.add(i % 2 == 0 ? server.client() : server.client(0));
            assertThat(others.getLast().call("GET", "k")).isEqualTo("$1\r\nv\r\n");
        }
        await().until(() -> server.server().jobs().waiting() == 1);
        RawClient writer = others.getFirst();
        assertThat(writer.call("DEL", "memory", "deleted", "nothing")).isEqualTo(":2\r\n");
        assertThat(writer.call("SET", "replaced", "new")).isEqualTo("+OK\r\n");
        assertThat(writer.call("MSET", "replaced", "newer", "k2", "v")).isEqualTo("+OK\r\n");
        assertThat(writer.call("EXPIRE", "expired", "0")).isEqualTo(":1\r\n");
        assertThat(writer.call("TM.EVICT", "evicted", "DISCARD")).startsWith("*2\r\n$5\r\nFREED");
        assertThat(server.server().jobs().waiting())
                .as("the long command is still to come")
                .isEqualTo(1);
        busy.countDown();
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        assertThat(client.reply()).as("what was sent behind it comes after it").isEqualTo("$-1\r\n");
        for (RawClient other : others) {
            assertThat(other.call("GET", "k")).isEqualTo("$-1\r\n");
            other.close();
        }
    }

    @Test
    void aClientThatGoesAwayDuringItsLongCommandLeavesNothing() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        server.server().jobs().forWhole().execute(() -> awaitQuietly(busy));
        try (RawClient other = server.client()) {
            client.send(encode("FLUSHALL"));
            await().until(() -> server.server().jobs().waiting() == 1);
            client.die();
            busy.countDown();
            await().until(() -> other.call("INFO", "clients").contains("connected_clients:1\r\n"));
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEL", "UNLINK"})
    void countsEveryKeyOfACommandThatIsDoneInSteps(String delete) throws Exception {
        assertThat(client.call(command("MSET", true))).isEqualTo("+OK\r\n");
        assertThat(client.call(command("EXISTS", false))).isEqualTo(":" + MANY + "\r\n");
        client.send(encode(command("MGET", false)));
        client.send(encode(command(delete, false)));
        client.send(encode(command("EXISTS", false)));
        String values = client.reply();
        assertThat(values).startsWith("*" + MANY + "\r\n$2\r\nv0\r\n").endsWith("v" + (MANY - 1) + "\r\n");
        assertThat(client.reply()).isEqualTo(":" + MANY + "\r\n");
        assertThat(client.reply()).isEqualTo(":0\r\n");
    }

    private static String[] command(String name, boolean withValues) {
        List<String> out = new ArrayList<>(List.of(name));
        IntStream.range(0, MANY).forEach(i -> {
            out.add("k" + i);
            if (withValues) {
                out.add("v" + i);
            }
        });
        return out.toArray(String[]::new);
    }

    /** Of clients that swap values with SET GET each value comes back once. */
    @Test
    void setWithGetAnswersTheValueItReplaced() throws Exception {
        List<String> answered = Collections.synchronizedList(new ArrayList<>());
        List<Thread> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            String name = "w" + writer + "-";
            writers.add(Thread.ofPlatform().start(() -> {
                try (RawClient swapping = server.client()) {
                    for (int i = 0; i < 200; i++) {
                        answered.add(swapping.call("SET", "k", name + i, "GET"));
                    }
                } catch (IOException e) {
                    answered.add(e.toString());
                }
            }));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(answered).hasSize(800).doesNotHaveDuplicates().doesNotContain(client.call("GET", "k"));
        assertThat(answered).filteredOn("$-1\r\n"::equals).hasSize(1);
    }

    @Test
    void setWithGetAndConditions() throws Exception {
        assertThat(client.call("SET", "k", "1", "XX", "GET")).isEqualTo("$-1\r\n");
        assertThat(client.call("SET", "k", "2", "NX", "GET")).isEqualTo("$-1\r\n");
        assertThat(client.call("SET", "k", "3", "NX", "GET")).isEqualTo("$1\r\n2\r\n");
        assertThat(client.call("SET", "k", "4", "XX", "GET", "PX", "100000")).isEqualTo("$1\r\n2\r\n");
        assertThat(client.call("SET", "k", "5", "GET", "KEEPTTL")).isEqualTo("$1\r\n4\r\n");
        assertThat(client.call("TTL", "k")).isEqualTo(":100\r\n");
        assertThat(client.call("SET", "k", "6", "GET", "PXAT", "1")).isEqualTo("$1\r\n5\r\n");
        assertThat(client.call("EXISTS", "k")).isEqualTo(":0\r\n");
        await().until(() -> server.pool().status().pins() == 0);
    }

    @Test
    void mgetOfMoreThanMayBeReadAtOnceReturnsEveryValue() throws Exception {
        client.set("a", value("a", 20 * MIB));
        client.set("b", value("b", 20 * MIB));
        client.send(encode("MGET", "a", "b", "nothing"));
        assertThat(client.header()).isEqualTo("*3\r\n");
        assertThat(client.value()).isEqualTo(value("a", 20 * MIB));
        assertThat(client.value()).isEqualTo(value("b", 20 * MIB));
        assertThat(client.reply()).isEqualTo("$-1\r\n");
    }

    @Test
    void aValueThatMayNotBeReadNowIsNeitherMissingNorOverwritten() throws Exception {
        List<RawClient> readers = new ArrayList<>();
        client.set("k", value("k", 4 * MIB));
        for (int i = 0; i < 3; i++) {
            client.set("g" + i, value("g" + i, 10 * MIB));
            readers.add(server.client());
            readers.getLast().send(encode("GET", "g" + i));
        }
        await().until(() -> server.pool().status().pins() == 3);
        assertThat(client.call("GET", "k")).startsWith("-TRYAGAIN");
        assertThat(client.call("MGET", "k", "nothing")).startsWith("-TRYAGAIN");
        assertThat(client.call("MGET", "nothing", "k")).startsWith("*2\r\n$-1\r\n-TRYAGAIN");
        assertThat(client.call("SET", "k", "new", "GET")).startsWith("-TRYAGAIN");
        for (RawClient reader : readers) {
            reader.close();
        }
        await().until(() -> server.pool().status().pins() == 0);
        assertThat(client.get("k")).isEqualTo(value("k", 4 * MIB));
        assertThat(client.call("SET", "nothing", "new", "GET")).isEqualTo("$-1\r\n");
    }
}
