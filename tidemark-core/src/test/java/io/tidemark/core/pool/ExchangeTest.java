package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Puts that are one step with something else: the value before, the life before, other puts. */
class ExchangeTest {
    private static final PutHints SECOND = new PutHints(Optional.empty(), false, 0, OptionalLong.of(1_000));

    /** Every value that is put is answered to exactly one later put, or is there in the end. */
    @Test
    void noValueIsAnsweredTwiceAndNoneIsLost() throws Exception {
        int writers = 4;
        int rounds = 500;
        try (PoolHarness pool = PoolHarness.dram(64, Marks.DEFAULT);
                ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            Set<Long> answered = ConcurrentHashMap.newKeySet();
            CyclicBarrier start = new CyclicBarrier(writers);
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                long first = (long) writer * rounds;
                running.add(threads.submit(() -> {
                    start.await();
                    try (Session session = pool.pool.session("writer")) {
                        for (int i = 0; i < rounds; i++) {
                            exchange(session, first + i)
                                    .ifPresent(old -> assertThat(answered.add(old))
                                            .as("%d answered twice", old)
                                            .isTrue());
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
            assertThat(answered).hasSize(writers * rounds - 1);
            assertThat(answered)
                    .doesNotContain(number(pool.session.read(key(1))).orElseThrow());
            pool.settle();
            pool.pool.checkInvariants();
        }
    }

    private static Optional<Long> exchange(Session session, long number) {
        Reserved.Reservation put =
                (Reserved.Reservation) session.reserve(key(1), Long.BYTES, PutHints.NONE, PutMode.REPLACE);
        put.segments().getFirst().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
        List<Optional<Long>> old = new ArrayList<>();
        Answer answer =
                put.exchange(PutHints.NONE, PutMode.REPLACE, new ReadResult.Missed(), found -> old.add(number(found)));
        assertThat(answer).isEqualTo(Answer.STORED);
        return old.getFirst();
    }

    private static Optional<Long> number(ReadResult result) {
        if (!(result instanceof ReadResult.Pinned pinned)) {
            return Optional.empty();
        }
        try (pinned) {
            return Optional.of(pinned.segments().getFirst().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        }
    }

    @Test
    void aPutThatKeepsTheLifeKeepsItToTheInstant() {
        try (PoolHarness pool = PoolHarness.dram(64, Marks.DEFAULT)) {
            PoolHarness.put(pool.session, key(1), value(1, PAGE), SECOND, PutMode.REPLACE);
            pool.clocks.advanceMillis(400);
            PoolHarness.put(pool.session, key(1), value(2, PAGE), PutHints.NONE.keepingLife(), PutMode.REPLACE);
            assertThat(pool.pool.ttlMillis(key(1))).as("another value").isEqualTo(600);
            PoolHarness.put(pool.session, key(1), value(2, PAGE), PutHints.NONE.keepingLife(), PutMode.REPLACE);
            assertThat(pool.pool.ttlMillis(key(1))).as("the same value").isEqualTo(600);
            PoolHarness.put(pool.session, key(2), value(2, PAGE), PutHints.NONE.keepingLife(), PutMode.REPLACE);
            assertThat(pool.pool.ttlMillis(key(2))).as("a new block").isEqualTo(-1);
            PoolHarness.put(pool.session, key(1), value(3, PAGE), PutHints.NONE, PutMode.REPLACE);
            assertThat(pool.pool.ttlMillis(key(1))).isEqualTo(-1);
        }
    }

    /** Who has seen one new value of a batch finds the others new as well. */
    @Test
    void aBatchAppearsAtOneMoment() throws Exception {
        int keys = 16;
        try (PoolHarness pool = PoolHarness.dram(256, Marks.DEFAULT);
                ExecutorService threads = Executors.newFixedThreadPool(1)) {
            together(pool.session, keys, 0);
            AtomicBoolean over = new AtomicBoolean();
            Future<?> reader = threads.submit(() -> {
                try (Session session = pool.pool.session("reader")) {
                    while (!over.get()) {
                        long seen = 0;
                        for (int name = keys; name > 0; name--) {
                            long round = number(session.read(key(name))).orElseThrow();
                            assertThat(round).as("key %d", name).isGreaterThanOrEqualTo(seen);
                            seen = round;
                        }
                        for (int name = 1; name <= keys; name++) {
                            long round = number(session.read(key(name))).orElseThrow();
                            assertThat(round).as("key %d", name).isGreaterThanOrEqualTo(seen);
                            seen = round;
                        }
                    }
                }
            });
            for (int round = 1; round <= 2_000; round++) {
                together(pool.session, keys, round);
            }
            over.set(true);
            reader.get();
            pool.settle();
            pool.pool.checkInvariants();
        }
    }

    private static void together(Session session, int keys, long round) {
        List<Reserved.Reservation> batch = new ArrayList<>();
        for (int name = 1; name <= keys; name++) {
            batch.add((Reserved.Reservation) session.reserve(key(name), Long.BYTES, PutHints.NONE, PutMode.REPLACE));
            MemorySegment target = batch.getLast().segments().getFirst();
            target.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, round);
        }
        assertThat(session.commitTogether(batch, PutHints.NONE)).isEqualTo(Answer.STORED);
    }

    @Test
    void aBatchWhoseLifeIsOverDeletesWhatItsKeysHoldAndStoresNothing() {
        try (PoolHarness pool = PoolHarness.dram(64, Marks.DEFAULT)) {
            pool.put(1, value(1, PAGE));
            PutHints over = new PutHints(Optional.empty(), false, 0, OptionalLong.of(-1));
            List<Reserved.Reservation> batch = new ArrayList<>();
            for (int name = 1; name <= 2; name++) {
                batch.add((Reserved.Reservation) pool.session.reserve(key(name), PAGE, over, PutMode.REPLACE));
                batch.getLast().segments();
            }
            assertThat(pool.session.commitTogether(batch, over)).isEqualTo(Answer.STORED);
            assertThat(pool.pool.contains(key(1))).isFalse();
            assertThat(pool.pool.contains(key(2))).isFalse();
            assertThat(pool.pool.status().blocks()).as("at once").isZero();
            pool.settle();
            assertThat(pool.pool.status().reservations()).isZero();
            pool.pool.checkInvariants();
        }
    }

    @Test
    void aBatchWithOneOverduePutLeavesEveryKeyAsItWas() {
        try (PoolHarness pool = PoolHarness.dram(64, Marks.DEFAULT)) {
            pool.put(1, value(1, PAGE));
            Reserved.Reservation late =
                    (Reserved.Reservation) pool.session.reserve(key(2), PAGE, PutHints.NONE, PutMode.REPLACE);
            pool.clocks.advanceMillis(PoolLimits.DEFAULT.reservationMillis());
            Reserved.Reservation fresh =
                    (Reserved.Reservation) pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.REPLACE);
            assertThat(pool.session.commitTogether(List.of(fresh, late), PutHints.NONE))
                    .isEqualTo(Answer.FAILED);
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            assertThat(pool.pool.contains(key(2))).isFalse();
            assertThat(pool.pool.status().reservations()).isZero();
            pool.pool.checkInvariants();
        }
    }
}
