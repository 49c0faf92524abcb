package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.encode;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Several clients put, pipelined, and there is no space: their connections are not read from, everybody else is served at
 * once, and each put is answered in its turn, when there is space or when its time is over.
 */
@Timeout(120)
class BackPressureTest {
    private static final int MIB = 1 << 20;
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 3;
    private static final int VALUE_BYTES = 2 * MIB;
    /** A tenth of the shortest time that a put waits here: who waits with it takes longer, a loaded machine does not. */
    private static final long PING_MILLIS = 100;

    private static final String OOM = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";

    /** Ways to put a value. */
    enum Put {
        SET("+OK\r\n") {
            @Override
            byte[] of(String key, byte[] value) {
                return encode(bytes("SET"), bytes(key), value);
            }
        },
        SET_LIFE_IF_ABSENT("+OK\r\n") {
            @Override
            byte[] of(String key, byte[] value) {
                return encode(bytes("SET"), bytes(key), value, bytes("NX"), bytes("EX"), bytes("1000"));
            }
        },
        SET_GET("$-1\r\n") {
            @Override
            byte[] of(String key, byte[] value) {
                return encode(bytes("SET"), bytes(key), value, bytes("GET"));
            }
        },
        SETEX("+OK\r\n") {
            @Override
            byte[] of(String key, byte[] value) {
                return encode(bytes("SETEX"), bytes(key), bytes("1000"), value);
            }
        },
        MSET("+OK\r\n") {
            @Override
            byte[] of(String key, byte[] value) {
                return encode(bytes("MSET"), bytes(key + "-small"), bytes("v"), bytes(key), value);
            }
        },
        TM_PUT("+STORED\r\n") {
            @Override
            byte[] of(String key, byte[] value) {
                return encode(bytes("TM.PUT"), bytes(key), value, bytes("PRIORITY"), bytes("2"));
            }
        };

        private final String stored;

        Put(String stored) {
            this.stored = stored;
        }

        abstract byte[] of(String key, byte[] value);
    }

    private static RespLimits waiting(long millis) {
        return new RespLimits(64L * MIB, OnFull.WAIT, millis, 30_000, 0, 1_000, 16 * MIB, 16 * MIB);
    }

    /** Memory of 8 MiB, of which a put that never ends holds 7. */
    private static ServerUnderTest full(long waitMillis) throws Exception {
        return ServerUnderTest.with()
                .capacity(8L * MIB)
                .limits(waiting(waitMillis))
                .start();
    }

    private static void hold(ServerUnderTest server, RawClient holder) throws IOException {
        holder.send(bytes("*3\r\n$3\r\nSET\r\n$4\r\nheld\r\n$" + 7 * MIB + "\r\nbegun"));
        await().until(() -> server.pool().status().reservations() == 1);
    }

    private static byte[] pipeline(Put put, int client) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int round = 0; round < ROUNDS; round++) {
            String key = "k" + client + "-" + round;
            all.writeBytes(put.of(key, value(key, VALUE_BYTES)));
            all.writeBytes(encode("ECHO", "after " + key));
        }
        return all.toByteArray();
    }

    /** Pings, while that is under way: in the middle they take no time, and none takes as long as anything waits. */
    private static void assertOthersGoOn(RawClient other, CompletableFuture<?> meanwhile, long waitMillis)
            throws IOException {
        List<Long> nanos = new ArrayList<>();
        do {
            long began = System.nanoTime();
            assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
            nanos.add(System.nanoTime() - began);
        } while (!meanwhile.isDone());
        nanos.sort(Long::compare);
        assertThat(TimeUnit.NANOSECONDS.toMillis(nanos.get(nanos.size() / 2)))
                .as("median of %d pings", nanos.size())
                .isLessThan(PING_MILLIS);
        assertThat(TimeUnit.NANOSECONDS.toMillis(nanos.getLast()))
                .as("slowest ping")
                .isLessThan(waitMillis);
    }

    private static CompletableFuture<Void> run(Work work) {
        return CompletableFuture.runAsync(() -> {
            try {
                work.run();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    @ParameterizedTest
    @EnumSource(Put.class)
    void g63_putsThatFindNoSpaceAreRefusedInTheirTurnAndNobodyElseWaits(Put put) throws Exception {
        long waitMillis = 1_000;
        try (ServerUnderTest server = full(waitMillis);
                RawClient holder = server.client();
                RawClient other = server.client()) {
            other.set("there", bytes("v"));
            hold(server, holder);
            List<RawClient> clients = new ArrayList<>();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(server.client());
                senders.add(clients.get(i).sendInBackground(pipeline(put, i)));
            }
            await().until(() -> server.pool().status().spaceWaiters() == CLIENTS);
            assertThat(senders).as("is not read from").allMatch(Thread::isAlive);
            assertThat(server.pool().status().reservations())
                    .as("nothing but the small values of MSET is taken in")
                    .isBetween(1L, put == Put.MSET ? 1L + CLIENTS : 1L);
            CompletableFuture<Void> answers = run(() -> {
                for (int i = 0; i < CLIENTS; i++) {
                    for (int round = 0; round < ROUNDS; round++) {
                        assertThat(clients.get(i).reply()).isEqualTo(OOM);
                        assertThat(clients.get(i).value()).isEqualTo(bytes("after k" + i + "-" + round));
                    }
                }
            });
            assertOthersGoOn(other, answers, waitMillis);
            answers.get();
            assertThat(other.get("there")).isEqualTo(bytes("v"));
            assertThat(other.call("EXISTS", "k0-0", "k1-1")).isEqualTo(":0\r\n");
            for (RawClient client : clients) {
                assertThat(client.call("SET", "small", "v")).isEqualTo("+OK\r\n");
                client.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Put.class)
    void g63_putsThatWaitAreStoredWhenThereIsSpace(Put put) throws Exception {
        long waitMillis = 30_000;
        try (ServerUnderTest server = full(waitMillis);
                RawClient holder = server.client();
                RawClient other = server.client()) {
            hold(server, holder);
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(server.client());
                clients.get(i).sendInBackground(pipeline(put, i));
            }
            await().until(() -> server.pool().status().spaceWaiters() == CLIENTS);
            holder.die();
            CompletableFuture<Void> answers = run(() -> {
                for (int i = 0; i < CLIENTS; i++) {
                    for (int round = 0; round < ROUNDS; round++) {
                        assertThat(clients.get(i).reply()).isEqualTo(put.stored);
                        assertThat(clients.get(i).value()).isEqualTo(bytes("after k" + i + "-" + round));
                    }
                }
            });
            assertOthersGoOn(other, answers, waitMillis);
            answers.get();
            assertThat(server.pool().status().reservations()).isZero();
            for (RawClient client : clients) {
                client.close();
            }
        }
    }
}
