package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Eight threads against a running pool of two tiers: right bytes always, and everything in step when they stop. */
class PoolConcurrencyTest {
    private static final int THREADS = 8;
    private static final int KEYS = 400;
    private static final List<PutMode> MODES = List.copyOf(EnumSet.allOf(PutMode.class));
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    @Test
    void g09_g48_g56_g97_g111_random_calls_of_eight_threads() throws Exception {
        run(1, 12_000);
    }

    @Test
    @Tag("soak")
    void g09_millions_of_random_calls_of_eight_threads() throws Exception {
        run(2, 1_000_000);
    }

    private static void run(long seed, int callsEach) throws Exception {
        FarMedium below = new FarMedium("far0", 512);
        Marks marks = new Marks(0.9, 0.7);
        TierConfig upper = TierConfig.of(
                        "dram",
                        marks,
                        new TierMember(PoolHarness.dram("dram0", 128), 2),
                        new TierMember(PoolHarness.dram("dram1", 128), 1))
                .offloadingTo("far");
        TierConfig lower = TierConfig.of("far", marks, new TierMember(below, 1)).promoting(new Promotion(2, false));
        try (Pool pool = Pool.open(PoolConfig.of(upper, lower));
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            LongAdder hits = new LongAdder();
            List<Future<?>> clients = new ArrayList<>();
            for (int number = 0; number < THREADS; number++) {
                Random random = new Random(seed * 1_000 + number);
                clients.add(threads.submit(() -> client(pool, random, callsEach, hits)));
            }
            for (Future<?> client : clients) {
                client.get(10, TimeUnit.MINUTES);
            }
            Awaitility.await().until(() -> pool.status().transitions() == 0);
            Awaitility.await().untilAsserted(pool::checkInvariants);
            assertThat(hits.sum()).isPositive();
            PoolStatus status = pool.status();
            assertThat(status.pins() + status.leases() + status.reservations()).isZero();
            assertThat(status.backends()).allSatisfy(backend -> {
                assertThat(backend.pinnedBytes() + backend.leavingBytes() + backend.doomedBytes())
                        .isZero();
                assertThat(backend.reservedBytes()).isZero();
            });
        }
    }

    private static void client(Pool pool, Random random, int calls, LongAdder hits) {
        try (Session session = pool.session("client")) {
            for (int call = 0; call < calls; call++) {
                int key = (int) (KEYS * random.nextDouble() * random.nextDouble());
                BlockKey name = PoolHarness.key(key).part(key % 7 == 0 ? random.nextInt(2) : 0);
                switch (random.nextInt(20)) {
                    case 0, 1, 2, 3, 4, 5, 6 -> put(session, name, random);
                    case 7 -> pool.evict(EvictionRequest.of(name, EvictionReason.DELETED));
                    case 8 -> pool.evict(EvictionRequest.of(name, EvictionReason.CAPACITY));
                    case 9 -> session.lookup(name);
                    case 10 -> pool.expireAfter(name, random.nextInt(5));
                    case 11 -> clearSometimes(pool, random);
                    default -> read(session, name, hits);
                }
            }
        }
    }

    private static void clearSometimes(Pool pool, Random random) {
        if (random.nextInt(200) == 0) {
            pool.clear();
        }
    }

    /** Puts words that name key, part and version. */
    private static void put(Session session, BlockKey name, Random random) {
        PutMode mode = MODES.get(random.nextInt(MODES.size()));
        long bytes = random.nextInt(8) * 8L * (PAGE / 16 + 1);
        long word = ((long) name.hashCode() << 32) | random.nextInt(3);
        Reserved reserved = session.reserve(name, bytes, PutHints.NONE, mode);
        if (reserved instanceof Reserved.Reservation reservation) {
            for (MemorySegment segment : reservation.segments()) {
                for (long at = 0; at < segment.byteSize(); at += Long.BYTES) {
                    segment.set(WORD, at, word);
                }
            }
            if (random.nextInt(10) > 0) {
                reservation.commit();
            }
            reservation.close();
        }
    }

    /** Every word must be the same, and name the key. */
    private static void read(Session session, BlockKey name, LongAdder hits) {
        if (session.read(name) instanceof ReadResult.Pinned pin) {
            try (pin) {
                long first = -1;
                for (MemorySegment segment : pin.segments()) {
                    for (long at = 0; at < segment.byteSize(); at += Long.BYTES) {
                        long word = segment.get(WORD, at);
                        first = first == -1 ? word : first;
                        if (word != first || word >>> 32 != (name.hashCode() & 0xFFFF_FFFFL)) {
                            throw new AssertionError("wrong bytes of " + name + ": " + word + " after " + first);
                        }
                    }
                }
                hits.increment();
            }
        }
    }
}
