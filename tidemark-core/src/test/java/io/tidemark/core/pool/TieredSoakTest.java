package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Long traffic through DRAM and two SSD directories: no wrong byte, and at the end what came into each stage less what left
 * it is what it holds. {@code -Dtidemark.soak.minutes} says how long; 30 by default under the tag, a few seconds without.
 */
class TieredSoakTest {
    private static final long MIB = 1 << 20;
    private static final int CLIENTS = 4;
    private static final int KEYS = 20_000;

    @TempDir
    Path folder;

    private final LongAdder reads = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder stored = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder wrong = new LongAdder();

    /** Counters by name and labels. */
    private static final class Counters implements CounterVisitor {
        final Map<String, Long> values = new HashMap<>();

        @Override
        public void counter(String name, String help, long value, String... labels) {
            values.merge(name + " " + String.join(" ", labels), value, Long::sum);
        }

        @Override
        public void gauge(String name, String help, double value, String... labels) {}

        long sum(String name, String label) {
            return values.entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(name + " ")
                            && entry.getKey().contains(label))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    @Test
    void what_comes_in_less_what_leaves_is_what_is_there() throws Exception {
        run(Duration.ofSeconds(4));
    }

    @Test
    @Tag("soak")
    void the_same_for_long() throws Exception {
        run(Duration.ofMinutes(Long.getLong("tidemark.soak.minutes", 30)));
    }

    private SsdMedium ssd(String name) throws IOException {
        return PoolHarness.ssd(NativeSys.INSTANCE, name, folder, 48 * MIB, "lru+np");
    }

    private void run(Duration time) throws Exception {
        TierConfig upper = TierConfig.of(
                "dram",
                Marks.DEFAULT,
                new TierMember(PoolHarness.dram("dram0", (int) (32 * MIB / PoolHarness.PAGE)), 1));
        TierConfig lower = TierConfig.of(
                        "ssd", Marks.DEFAULT, new TierMember(ssd("ssd0"), 1), new TierMember(ssd("ssd1"), 1))
                .promoting(new Promotion(2, true));
        try (Pool pool = Pool.open(PoolConfig.of(upper.offloadingTo("ssd"), lower))) {
            long until = System.nanoTime() + time.toNanos();
            List<Thread> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Random random = new Random(client);
                clients.add(Thread.ofPlatform().start(() -> use(pool, random, until)));
            }
            for (Thread client : clients) {
                client.join();
            }
            // Lives end and moves run on for a while; then nothing changes any more.
            Awaitility.await().atMost(Duration.ofMinutes(1)).ignoreExceptions().untilAsserted(() -> balance(pool));
        }
        System.out.printf(
                "%s: %d stored, %d refused, %d reads, %d hits%n",
                time, stored.sum(), refused.sum(), reads.sum(), hits.sum());
        assertThat(wrong.sum()).isZero();
        assertThat(stored.sum()).isPositive();
    }

    private void use(Pool pool, Random random, long until) {
        try (Session session = pool.session("client")) {
            while (System.nanoTime() < until) {
                int name = (int) (Math.abs(random.nextGaussian()) * KEYS / 3);
                switch (random.nextInt(20)) {
                    case 0 -> pool.evict(EvictionRequest.of(key(name), EvictionReason.DELETED));
                    case 1 -> pool.expireAfter(key(name), random.nextInt(2_000));
                    case 2, 3, 4, 5, 6, 7 -> put(session, name, random);
                    default -> get(session, name);
                }
            }
        }
    }

    private void put(Session session, int name, Random random) {
        byte[] value = PoolHarness.value(name + random.nextInt(2), 16 + random.nextInt(40_000));
        ByteBuffer.wrap(value).putInt(name).putInt(value.length);
        Answer answer = PoolHarness.put(session, key(name), value, PutHints.NONE, PutMode.REPLACE);
        (answer == Answer.STORED ? stored : refused).increment();
    }

    /** A value says whose it is and how long, and its bytes follow from one of two seeds. */
    private void get(Session session, int name) {
        reads.increment();
        if (!(session.read(key(name)) instanceof ReadResult.Pinned pin)) {
            return;
        }
        hits.increment();
        try (pin) {
            byte[] value = PoolHarness.bytes(pin);
            ByteBuffer head = ByteBuffer.wrap(value);
            boolean right = head.getInt() == name
                    && head.getInt() == value.length
                    && (follows(value, name) || follows(value, name + 1));
            if (!right) {
                wrong.increment();
            }
        }
    }

    private static boolean follows(byte[] value, int seed) {
        byte[] expected = PoolHarness.value(seed, value.length);
        return Arrays.equals(value, 8, value.length, expected, 8, value.length);
    }

    private static void balance(Pool pool) {
        pool.checkInvariants();
        Counters counters = new Counters();
        pool.counters(counters);
        for (BackendStatus backend : pool.status().backends()) {
            String label = "backend " + backend.backend();
            assertThat(counters.sum("tidemark_stored_copies_total", label)
                            - counters.sum("tidemark_left_copies_total", label))
                    .as("copies of %s", backend.backend())
                    .isEqualTo(backend.copies());
            assertThat(counters.sum("tidemark_stored_bytes_total", label)
                            - counters.sum("tidemark_left_bytes_total", label))
                    .as("bytes of %s", backend.backend())
                    .isEqualTo(backend.residentBytes());
            assertThat(backend.reservedBytes() + backend.doomedBytes() + backend.leavingBytes())
                    .isZero();
        }
        assertThat(counters.sum("tidemark_stored_copies_total", "demotion"))
                .as("what left DRAM downwards came to SSD, but for what was there already")
                .isLessThanOrEqualTo(counters.sum("tidemark_left_copies_total", "demoted"));
        assertThat(counters.sum("tidemark_dropped_only_copy_total", "")).isZero();
    }
}
