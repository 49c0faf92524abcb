package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two SSD directories in one tier, one of which goes wrong: the other goes on, and the first comes back. */
class TwoDevicesTest {
    private static final Duration SOON = Duration.ofSeconds(4);
    private static final Duration WHILE_HANGING = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final FaultySys sick = new FaultySys(NativeSys.INSTANCE);
    private final CountDownLatch released = new CountDownLatch(1);
    private Pool pool;
    private Session session;
    private int next = 0;

    @BeforeEach
    void open() throws IOException {
        TierConfig upper =
                TierConfig.of("dram", new Marks(0.5, 0.25), new TierMember(PoolHarness.dram("dram0", 64), 1));
        TierConfig lower = TierConfig.of(
                "ssd",
                new Marks(0.9, 0.7),
                new TierMember(ssd("ssd0", sick), 1),
                new TierMember(ssd("ssd1", sound()), 1));
        pool = Pool.open(PoolConfig.of(upper.offloadingTo("ssd"), lower));
        session = pool.session("test");
    }

    private static FaultySys sound() {
        return new FaultySys(NativeSys.INSTANCE);
    }

    private SsdMedium ssd(String name, FaultySys sys) throws IOException {
        return PoolHarness.ssd(sys, name, folder, 16L << 20, "lru");
    }

    @AfterEach
    void close() {
        sick.heal();
        released.countDown();
        pool.close();
    }

    private void put(int blocks) {
        for (int end = next + blocks; next < end; next++) {
            int name = next;
            await().atMost(SOON)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> PoolHarness.put(session, key(name), value(name, PAGE), PutHints.NONE, PutMode.REPLACE)
                            == Answer.STORED);
        }
    }

    private List<Integer> on(String backend, int from) {
        List<Integer> names = new ArrayList<>();
        IntStream.range(from, next)
                .filter(name -> pool.where(key(name)).stream()
                        .anyMatch(copy -> copy.backend().equals(backend)))
                .forEach(names::add);
        return names;
    }

    private void assertReadable(List<Integer> names) {
        for (int name : names) {
            assertThat(PoolHarness.get(session, key(name))).isEqualTo(value(name, PAGE));
        }
    }

    private void awaitOn(String backend, int from) {
        await().atMost(WHILE_HANGING).until(() -> {
            put(10);
            return !on(backend, from).isEmpty();
        });
    }

    @Test
    void g68_a_device_that_hangs_holds_up_no_other_and_comes_back() {
        put(200);
        awaitOn("ssd0", 0);
        awaitOn("ssd1", 0);
        sick.inject(call -> call.is("pwrite", "slab") || call.is("pread", "slab"), new FaultySys.Hang(released));
        on("ssd0", 0).stream().limit(20).forEach(name -> session.read(key(name), answer -> {}));
        int hung = next;
        long start = System.nanoTime();
        put(300);
        assertReadable(on("ssd1", 0).stream().limit(50).toList());
        assertThat(on("ssd1", hung)).as("what came since").isNotEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(WHILE_HANGING);
        await().atMost(WHILE_HANGING).until(() -> !health("ssd0").isEmpty());
        assertThat(health("ssd0")).contains("has not come back");
        assertThat(health("ssd1")).isEmpty();
        sick.heal();
        released.countDown();
        await().atMost(WHILE_HANGING).until(() -> health("ssd0").isEmpty());
        awaitOn("ssd0", next);
    }

    /** Why a backend is out of use; empty when it works. */
    private String health(String backend) {
        return pool.config().tiers().stream()
                .flatMap(tier -> tier.members().stream())
                .filter(member -> member.medium().name().equals(backend))
                .map(member -> member.medium().health().why())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_device_that_fails_is_bypassed_tried_again_and_comes_back() {
        put(200);
        awaitOn("ssd0", 0);
        sick.inject(call -> call.is("pwrite") || call.is("pread"), new FaultySys.Fail(Errno.EIO));
        await().atMost(WHILE_HANGING).until(() -> {
            put(10);
            return health("ssd0").contains("EIO");
        });
        int failing = next;
        put(200);
        assertThat(on("ssd1", failing)).hasSizeGreaterThan(100);
        assertThat(on("ssd0", failing)).isEmpty();
        assertReadable(on("ssd1", failing));
        sick.heal();
        await().atMost(WHILE_HANGING).until(() -> health("ssd0").isEmpty());
        awaitOn("ssd0", next);
    }

    /**
     * A checkpoint that could not be made was once counted and told to nobody; with the journal full each write of the server
     * waited 5 s.
     */
    @Test
    void a_checkpoint_that_fails_on_one_device_holds_up_no_put_and_no_delete() {
        put(200);
        awaitOn("ssd0", 0);
        sick.inject(call -> call.is("pread", "checkpoint-"), new FaultySys.Fail(Errno.EIO));
        List<Long> millis = new ArrayList<>();
        await().atMost(WHILE_HANGING).pollInterval(Duration.ofMillis(1)).until(() -> {
            timed(50, millis);
            return health("ssd0").contains("EIO");
        });
        assertThat(health("ssd0")).contains("checkpoint");
        int failing = next;
        timed(500, millis);
        assertThat(millis.stream().filter(each -> each >= 100).count())
                .as("of %d puts and deletes, those of 100 ms and more", millis.size())
                .isLessThanOrEqualTo(millis.size() / 100);
        assertThat(millis).as("nothing waits for the device").allMatch(each -> each < 2_000);
        assertThat(health("ssd1")).isEmpty();
        assertThat(on("ssd1", failing)).isNotEmpty();
        sick.heal();
        await().atMost(WHILE_HANGING).until(() -> health("ssd0").isEmpty());
    }

    /** Puts new keys, puts some again, deletes some; how long each took, without the waits of the one who puts. */
    private void timed(int blocks, List<Long> millis) {
        for (int end = next + blocks; next < end; next++) {
            int name = next;
            timed(millis, () -> PoolHarness.put(session, key(name), value(name, PAGE), PutHints.NONE, PutMode.REPLACE));
            timed(
                    millis,
                    () -> PoolHarness.put(
                            session, key(name / 2), value(name, 2 * PAGE), PutHints.NONE, PutMode.REPLACE));
            timed(millis, () -> pool.evict(EvictionRequest.of(key(name / 3), EvictionReason.DELETED)));
        }
    }

    private static void timed(List<Long> millis, Runnable call) {
        long start = System.nanoTime();
        call.run();
        millis.add((System.nanoTime() - start) / 1_000_000);
    }
}
