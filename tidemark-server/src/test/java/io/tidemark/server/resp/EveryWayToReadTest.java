package io.tidemark.server.resp;

import static io.tidemark.server.resp.RawClient.bytes;
import static io.tidemark.server.resp.RawClient.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for a read holds for each command that reads: damage, ranges that make no sense, and what changes meanwhile. */
class EveryWayToReadTest extends OneClientTest {
    private static final int LENGTH = 200_000;
    private static final int PAGE = 4_096;
    private static final int KEYS = 24;
    private static final int READERS = 3;
    private static final int READS = 400;

    private final SlowDevice device = new SlowDevice();

    @Override
    ServerUnderTest.Builder setUp() {
        return ServerUnderTest.with().ssd(device.sys());
    }

    /** Turns a bit of each page of the block over, on disk. */
    private void damage(byte[] content) throws IOException {
        byte[] page = new byte[PAGE];
        int damaged = 0;
        try (RandomAccessFile slab = new RandomAccessFile(
                server.socket().resolveSibling("ssd").resolve("slab").toFile(), "rw")) {
            for (long at = 0; at < slab.length(); at += PAGE) {
                slab.seek(at);
                slab.readFully(page);
                if (Arrays.equals(page, Arrays.copyOf(content, PAGE))) {
                    slab.seek(at + 100);
                    slab.write(page[100] ^ 1);
                    damaged++;
                }
            }
        }
        assertThat(damaged).as("places where the block lies").isPositive();
    }

    private static String bulk(byte[] value) {
        return "$" + value.length + "\r\n" + new String(value, StandardCharsets.ISO_8859_1) + "\r\n";
    }

    private String here(String key) {
        return bulk(value(key, LENGTH));
    }

    /** A damaged block is a miss that removes itself; the others of the command are answered. */
    @ParameterizedTest
    @ValueSource(strings = {"GET k", "MGET before k after", "GETRANGE k 0 10", "TM.GETRANGES k 0 10", "SET k new GET"})
    void g86_damageOfOneBlockIsAMissOfThatBlockAndOfNoOther(String command) throws Exception {
        for (String key : List.of("before", "k", "after")) {
            server.setOnSsd(client, key, value(key, LENGTH));
        }
        damage(value("k", LENGTH));
        String answer = client.call(command.split(" "));
        String expected = command.startsWith("MGET")
                ? "*3\r\n" + here("before") + "$-1\r\n" + here("after")
                : command.startsWith("GETRANGE") ? "$0\r\n\r\n" : "$-1\r\n";
        assertThat(answer).isEqualTo(expected);
        boolean replaced = command.startsWith("SET");
        assertThat(client.call("EXISTS", "k")).isEqualTo(replaced ? ":1\r\n" : ":0\r\n");
        assertThat(client.get("before")).isEqualTo(value("before", LENGTH));
        long read = device.readBytes();
        assertThat(client.call("GET", "k")).isEqualTo(replaced ? "$3\r\nnew\r\n" : "$-1\r\n");
        assertThat(device.readBytes()).as("no second read of what is gone").isEqualTo(read);
        client.set("k", bytes("again"));
        assertThat(client.get("k")).isEqualTo(bytes("again"));
    }

    /** A list of ranges of which one makes no sense is refused whole, before any device is asked, and the stream stays in step. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 0",
                "0 10 5 0",
                "-1 5",
                "0 -1",
                "0 10 9223372036854775807 1",
                "0 10 9223372036854775807 9223372036854775807",
                "0 200001",
                "0 10 199999 2",
                "0",
                "0 x"
            })
    void rangesThatMakeNoSenseAreRefusedBeforeAnyRead(String ranges) throws Exception {
        client.set("here", value("here", LENGTH));
        server.setOnSsd(client, "k", value("k", LENGTH));
        long read = device.readBytes();
        for (String key : List.of("here", "k")) {
            assertThat(client.call(("TM.GETRANGES " + key + " " + ranges).split(" ")))
                    .as(key)
                    .startsWith("-ERR ");
        }
        assertThat(device.readBytes()).isEqualTo(read);
        assertThat(server.pool().status().pins()).isZero();
        assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
    }

    /** Whole values, batches and ranges, of blocks that are deleted, put again and moved below: right bytes or none. */
    @Test
    void everyShapeOfReadGivesRightBytesWhileBlocksComeAndMove() throws Exception {
        long seed = System.nanoTime();
        for (int i = 0; i < KEYS; i++) {
            client.set("k" + i, value("k" + i, LENGTH));
        }
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writer = threads.submit(() -> write(new Random(seed), done));
            List<Future<?>> readers = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                Random random = new Random(seed + 1 + reader);
                readers.add(threads.submit(() -> read(random)));
            }
            try {
                for (Future<?> reader : readers) {
                    assertThat(reader.get()).as("seed %d: wrong answers", seed).isEqualTo(List.of());
                }
            } finally {
                done.set(true);
            }
            writer.get();
        }
        assertThat(server.pool().status().pins()).isZero();
    }

    private boolean write(Random random, AtomicBoolean done) throws IOException {
        try (RawClient writer = server.client()) {
            while (!done.get()) {
                String key = "k" + random.nextInt(KEYS);
                server.pool().evict(EvictionRequest.of(BlockKey.of(key), EvictionReason.CAPACITY));
                String again = "k" + random.nextInt(KEYS);
                writer.call("DEL", again);
                writer.set(again, value(again, LENGTH));
            }
        }
        return true;
    }

    private List<String> read(Random random) throws IOException {
        List<String> wrong = new ArrayList<>();
        try (RawClient reader = server.client()) {
            for (int i = 0; i < READS; i++) {
                String key = "k" + random.nextInt(KEYS);
                String other = "k" + random.nextInt(KEYS);
                byte[] whole = value(key, LENGTH);
                int from = random.nextInt(LENGTH);
                int length = 1 + random.nextInt(LENGTH - from);
                String part = bulk(Arrays.copyOfRange(whole, from, from + length));
                String answer;
                List<String> right;
                switch (random.nextInt(4)) {
                    case 0 -> {
                        answer = reader.call("GET", key);
                        right = List.of(bulk(whole), "$-1\r\n");
                    }
                    case 1 -> {
                        answer = reader.call("MGET", key, other);
                        right = List.of(
                                "*2\r\n" + here(key) + here(other),
                                "*2\r\n" + here(key) + "$-1\r\n",
                                "*2\r\n$-1\r\n" + here(other),
                                "*2\r\n$-1\r\n$-1\r\n");
                    }
                    case 2 -> {
                        answer = reader.call("GETRANGE", key, "" + from, "" + (from + length - 1));
                        right = List.of(part, "$0\r\n\r\n");
                    }
                    default -> {
                        answer = reader.call("TM.GETRANGES", key, "" + from, "" + length, "0", "1");
                        right = List.of("*2\r\n" + part + bulk(Arrays.copyOf(whole, 1)), "$-1\r\n");
                    }
                }
                if (!right.contains(answer)) {
                    wrong.add(key + " " + answer.substring(0, Math.min(60, answer.length())));
                }
            }
        }
        return wrong;
    }
}
