package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each kind of step that stores something fails, over and over in one directory: a block that was answered as stored is
 * there, now and after the next start, whatever became of the others.
 */
class SsdStepFailuresTest {
    private static final int ROUNDS = 12;
    private static final int STEPS_MAX = 4_000;
    /** Stored behind the failure: by a device that may be out of use by then. */
    private static final int STEPS_AFTER = 5;

    private static final int[] ERRORS = {Errno.EIO, Errno.ENOSPC, Errno.EROFS, Errno.ENOENT};

    @TempDir(factory = MemoryDir.class)
    Path dir;

    private final Random random = new Random(84);

    @ParameterizedTest
    @EnumSource(
            value = SsdKillPointsTest.Point.class,
            names = {
                "DATA_WRITE",
                "JOURNAL_APPEND",
                "NEW_JOURNAL",
                "CHECKPOINT_BEGUN",
                "CHECKPOINT_FRAME",
                "CHECKPOINT_SYNC"
            })
    void g84_whatIsAnsweredAsStoredIsThereWhicheverStepFailed(SsdKillPointsTest.Point point) throws IOException {
        SsdHarness harness = new SsdHarness(dir);
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch happened = failAt(harness.sys, point);
            for (int step = 0; happened.getCount() > 0; step++) {
                assertThat(step).as("%s is never reached", point).isLessThan(STEPS_MAX);
                store(harness);
            }
            for (int step = 0; step < STEPS_AFTER; step++) {
                store(harness);
            }
            for (SsdHarness.Stored block : harness.stored.values()) {
                assertThat(harness.holds(block)).isTrue();
            }
            harness.reopen();
            NavigableMap<String, SsdHarness.Stored> found = harness.readRecovered();
            assertThat(found).containsAllEntriesOf(harness.stored);
            harness.stored.clear();
            harness.stored.putAll(found);
        }
        harness.ssd.close();
    }

    /** One call of that kind fails; the latch tells when. */
    private CountDownLatch failAt(FaultySys sys, SsdKillPointsTest.Point point) {
        AtomicInteger left = new AtomicInteger(random.nextInt(point.within()));
        CountDownLatch happened = new CountDownLatch(1);
        int errno = ERRORS[random.nextInt(ERRORS.length)];
        sys.inject(
                call -> {
                    boolean now = point.isHere(call) && left.getAndDecrement() == 0;
                    if (now) {
                        happened.countDown();
                    }
                    return now;
                },
                new FaultySys.Fail(errno));
        return happened;
    }

    /** What was there under the key goes first, as evicted: it may be back after a start, and nothing waits for its end. */
    private void store(SsdHarness harness) {
        String key = "key-" + random.nextInt(60);
        harness.evict(key);
        try {
            if (!harness.put(key, 1 + random.nextInt(9_000)) && !harness.stored.isEmpty()) {
                harness.evict(harness.stored.firstKey());
            }
        } catch (IOException _) {
            assertThat(harness.stored).doesNotContainKey(key);
        }
    }
}
