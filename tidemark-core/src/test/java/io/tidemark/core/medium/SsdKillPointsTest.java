package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Dies inside of each kind of write, over and over in one directory, and looks at every byte and the account after each:
 * what was answered is there, what was discarded is not.
 */
class SsdKillPointsTest {
    private static final int ROUNDS = 25;
    private static final int ROUNDS_LONG = 1_000;

    /** Where the process dies. */
    enum Point {
        DATA_WRITE(30),
        JOURNAL_APPEND(30),
        NEW_JOURNAL(3),
        CHECKPOINT_BEGUN(3),
        CHECKPOINT_FRAME(6),
        CHECKPOINT_SYNC(3),
        START(14),
        ANY(100);

        /** Calls to choose among. */
        private final int within;

        Point(int within) {
            this.within = within;
        }

        int within() {
            return within;
        }

        boolean isHere(FaultySys.Call call) {
            boolean changes = call.is("pwrite") || call.is("ftruncate") || call.is("fallocate");
            return switch (this) {
                case DATA_WRITE -> call.is("pwrite", "slab");
                case JOURNAL_APPEND -> call.is("pwrite", "journal-") && call.offset() > 0;
                case NEW_JOURNAL -> call.is("pwrite", "journal-") && call.offset() == 0;
                case CHECKPOINT_BEGUN -> call.is("pwrite", "checkpoint-") && call.offset() == 0;
                case CHECKPOINT_FRAME -> call.is("pwrite", "checkpoint-") && call.offset() > 0;
                case CHECKPOINT_SYNC -> call.is("fdatasync");
                case START -> changes || call.is("openat");
                case ANY -> true;
            };
        }
    }

    @TempDir(factory = MemoryDir.class)
    Path dir;

    private final Random random = new Random(90);
    private boolean together = false;
    private int batches = 0;

    @ParameterizedTest
    @EnumSource
    void g90_g29_aKillLosesNothingAndBringsNothingBack(Point point) throws IOException {
        rounds(point, ROUNDS);
    }

    /** Also right between the bytes of many blocks and their records, and within the one frame of those. */
    @ParameterizedTest
    @EnumSource(
            value = Point.class,
            names = {"DATA_WRITE", "JOURNAL_APPEND", "NEW_JOURNAL", "CHECKPOINT_FRAME", "ANY"})
    void g90_aKillWithinBlocksThatAreWrittenTogetherLeavesEachWholeOrNot(Point point) throws IOException {
        together = true;
        rounds(point, ROUNDS);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("soak")
    void aKillLosesNothingForLong(Point point) throws IOException {
        rounds(point, ROUNDS_LONG);
    }

    private void rounds(Point point, int rounds) throws IOException {
        SsdHarness harness = new SsdHarness(dir);
        for (int round = 0; round < rounds; round++) {
            Set<String> touched = Set.of();
            if (point == Point.START) {
                churn(harness, 30);
                FaultySys dying = new FaultySys(NativeSys.INSTANCE);
                dieAt(dying, point, point.within);
                harness.startAndDie(dying);
            } else {
                dieAt(harness.sys, point, point.within);
                touched = churnUntilKilled(harness);
            }
            harness.reopen();
            takeOver(harness, touched);
        }
        harness.ssd.close();
    }

    private void dieAt(FaultySys sys, Point point, int within) {
        AtomicInteger left = new AtomicInteger(random.nextInt(within));
        boolean manyBlocks = point == Point.DATA_WRITE;
        int frameBytes = together ? 2_000 : 400;
        long bytes = manyBlocks ? random.nextInt(together ? 30 : 3) * 4096L : random.nextInt(frameBytes);
        bytes *= together ? random.nextInt(2) : 1; // none of it half of the time
        sys.inject(call -> point.isHere(call) && left.getAndDecrement() == 0, new FaultySys.Kill(bytes));
    }

    private void takeOver(SsdHarness harness, Set<String> touched) throws IOException {
        NavigableMap<String, SsdHarness.Stored> found = harness.readRecovered();
        harness.stored.forEach((key, block) -> {
            if (!touched.contains(key)) {
                assertThat(found).containsEntry(key, block);
            }
        });
        harness.stored.clear();
        harness.stored.putAll(found);
    }

    /** Answers the keys that the last, unanswered operation was about. */
    private Set<String> churnUntilKilled(SsdHarness harness) throws IOException {
        NavigableMap<String, Integer> some = new TreeMap<>();
        harness.sys.onKill(Thread.currentThread()::interrupt);
        try {
            while (!harness.sys.isKilled()) {
                some.clear();
                some.put("key-" + random.nextInt(60), 1 + random.nextInt(random.nextInt(8) == 0 ? 150_000 : 9_000));
                if (random.nextInt(6) == 0) {
                    harness.delete(some.firstKey());
                } else if (!put(harness, some)) {
                    some.clear();
                    some.put(harness.stored.firstKey(), 0);
                    harness.evict(some.firstKey());
                }
            }
        } catch (FaultySys.Killed | IOException e) {
            assertThat(harness.sys.isKilled()).as("%s", e).isTrue();
        } finally {
            harness.sys.onKill(() -> {});
            Thread.interrupted();
        }
        return some.keySet();
    }

    /** One block, or this one with others. */
    private boolean put(SsdHarness harness, NavigableMap<String, Integer> some) throws IOException {
        if (!together) {
            return harness.put(some.firstKey(), some.firstEntry().getValue());
        }
        // Half of them replace nothing: then no end of an older block makes their records durable on the way.
        String keys = random.nextBoolean() ? "new-" + batches++ + "-" : "key-";
        if (!keys.equals("key-")) {
            some.clear();
        }
        for (int more = 1 + random.nextInt(24); more > 0; more--) {
            some.put(keys + random.nextInt(60), 1 + random.nextInt(9_000));
        }
        return harness.putTogether(some);
    }

    private void churn(SsdHarness harness, int steps) throws IOException {
        for (int step = 0; step < steps; step++) {
            if (!harness.put("key-" + random.nextInt(60), 1 + random.nextInt(9_000))) {
                harness.evict(harness.stored.firstKey());
            }
        }
    }
}
