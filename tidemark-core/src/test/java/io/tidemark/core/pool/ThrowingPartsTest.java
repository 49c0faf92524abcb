package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.MappedMedium;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts that throw or hang: whatever happens, nothing stays held for a caller that is gone. */
class ThrowingPartsTest {
    /** The medium, except that calls of the named method throw for as long as one is named. */
    private static Medium throwing(Medium medium, AtomicReference<String> method) {
        return (Medium) Proxy.newProxyInstance(
                Medium.class.getClassLoader(), new Class<?>[] {MappedMedium.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method.get())) {
                        throw new IllegalStateException("test: " + called.getName());
                    }
                    try {
                        return called.invoke(medium, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"seal", "commit"})
    void aCommitThatThrowsGivesSpaceClaimAndIndexBack(String method) {
        AtomicReference<String> failing = new AtomicReference<>("none");
        Medium medium = throwing(PoolHarness.dram("dram0", 8), failing);
        PoolConfig config = PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(medium, 1)));
        try (PoolHarness pool = new PoolHarness(config, KeyHash.seeded(1))) {
            Reserved.Reservation put =
                    (Reserved.Reservation) pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.CREATE);
            PoolHarness.fill(put.segments(), value(1, PAGE));
            failing.set(method);
            assertThatThrownBy(put::commit).isInstanceOf(IllegalStateException.class);
            failing.set("none");
            assertThat(medium.ledger().snapshot().reserved()).isZero();
            assertThat(pool.pool.status().reservations()).isZero();
            assertThat(pool.pool.blocks()).as("rows without a copy").isZero();
            pool.pool.checkInvariants();
            assertThat(PoolHarness.put(pool.session, key(1), value(1, PAGE), PutHints.NONE, PutMode.CREATE))
                    .as("the key is claimed by nobody")
                    .isEqualTo(Answer.STORED);
        }
    }

    /** The medium, except that the n-th commit from now on is refused, or throws. */
    private static Medium refusing(Medium medium, AtomicInteger commitsLeft, boolean throwing) {
        return (Medium) Proxy.newProxyInstance(
                Medium.class.getClassLoader(), new Class<?>[] {MappedMedium.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals("commit") && commitsLeft.decrementAndGet() == 0) {
                        if (throwing) {
                            throw new IllegalStateException("test: commit");
                        }
                        return false;
                    }
                    try {
                        return called.invoke(medium, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBatchOfWhichOneCannotBeCommittedLeavesEveryKeyAsItWas(boolean throwing) {
        AtomicInteger commitsLeft = new AtomicInteger();
        Medium medium = refusing(PoolHarness.dram("dram0", 16), commitsLeft, throwing);
        PoolConfig config = PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(medium, 1)));
        try (PoolHarness pool = new PoolHarness(config, KeyHash.seeded(1))) {
            pool.putPage(1);
            pool.putPage(2);
            List<Reserved.Reservation> batch = new ArrayList<>();
            for (int name = 1; name <= 5; name++) {
                batch.add((Reserved.Reservation) pool.session.reserve(key(name), PAGE, PutHints.NONE, PutMode.REPLACE));
            }
            batch.forEach(put -> PoolHarness.fill(put.segments(), value(9, PAGE)));
            commitsLeft.set(4);
            if (throwing) {
                assertThatThrownBy(() -> pool.session.commitTogether(batch, PutHints.NONE))
                        .isInstanceOf(IllegalStateException.class);
            } else {
                assertThat(pool.session.commitTogether(batch, PutHints.NONE)).isEqualTo(Answer.FAILED);
            }
            assertThat(pool.held(6)).containsExactly(1, 2);
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            assertThat(medium.ledger().snapshot().resident()).isEqualTo(2 * PAGE);
            assertThat(pool.backend().freeBytes()).isEqualTo(14 * PAGE);
            assertThat(pool.pool.blocks()).isEqualTo(2);
        }
    }

    @Test
    void aBatchOfWhichOneCannotBeCommittedLeavesTheLifeOfWhatItBroughtAgain() {
        AtomicInteger commitsLeft = new AtomicInteger();
        Medium medium = refusing(PoolHarness.dram("dram0", 16), commitsLeft, false);
        PoolConfig config = PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(medium, 1)));
        try (PoolHarness pool = new PoolHarness(config, KeyHash.seeded(1))) {
            PutHints mortal = new PutHints(Optional.empty(), false, 0, OptionalLong.of(1_000));
            PoolHarness.put(pool.session, key(1), value(1, PAGE), mortal, PutMode.REPLACE);
            List<Reserved.Reservation> batch = new ArrayList<>();
            for (int name = 1; name <= 2; name++) {
                batch.add((Reserved.Reservation) pool.session.reserve(key(name), PAGE, PutHints.NONE, PutMode.REPLACE));
                PoolHarness.fill(batch.getLast().segments(), value(name, PAGE));
            }
            commitsLeft.set(1);
            assertThat(pool.session.commitTogether(batch, PutHints.NONE)).isEqualTo(Answer.FAILED);
            assertThat(pool.held(3)).containsExactly(1);
            pool.clocks.advanceMillis(1_001);
            assertThat(pool.get(1)).as("dies when it was to die").isNull();
        }
    }

    @Test
    void aPutThatCannotBeCommittedIsNotAnsweredAsStored() {
        AtomicInteger commitsLeft = new AtomicInteger();
        Medium medium = refusing(PoolHarness.dram("dram0", 8), commitsLeft, false);
        PoolConfig config = PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(medium, 1)));
        try (PoolHarness pool = new PoolHarness(config, KeyHash.seeded(1))) {
            commitsLeft.set(1);
            assertThat(pool.put(1, value(1, PAGE))).isEqualTo(Answer.FAILED);
            assertThat(pool.backend().freeBytes()).isEqualTo(8 * PAGE);
        }
    }

    /** A device whose joint write fails and whose next call of the named method throws, once. */
    private static Medium breaking(Medium ssd, String method) {
        AtomicInteger calls = new AtomicInteger();
        return (Medium) Proxy.newProxyInstance(
                Medium.class.getClassLoader(), new Class<?>[] {Medium.class}, (proxy, called, arguments) -> {
                    try {
                        Object answer = called.invoke(ssd, arguments);
                        if (called.getName().equals(method) && calls.incrementAndGet() == 3) {
                            throw new IllegalStateException("test: " + method);
                        }
                        if (called.getName().equals("writeTogether")) {
                            throw new IOException("test: the joint write");
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"abort", "noteEnd"})
    void aBatchOfWhichOneThrowsEndsForEachOfItsBlocks(String method, @TempDir Path folder) throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", folder, 16L << 20));
        ssd.copies().trackOrder("lru");
        TierConfig upper = TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 64), 1));
        TierConfig lower = TierConfig.of("ssd", Marks.DEFAULT, new TierMember(breaking(ssd, method), 1));
        try (PoolHarness pool = PoolHarness.tiered(upper, lower, limits -> limits)) {
            for (int name = 0; name < 8; name++) {
                pool.putPage(name);
                pool.evict(name, EvictionReason.CAPACITY);
            }
            assertThatThrownBy(() -> pool.pool.transitionWork().run()).isInstanceOf(IllegalStateException.class);
            pool.pool.transitionWork().run();
            assertThat(pool.pool.status().transitions()).isZero();
            assertThat(ssd.ledger().snapshot().reserved()).isZero();
            long below = IntStream.range(0, 8)
                    .filter(name -> pool.where(name).contains("ssd0"))
                    .count();
            assertThat(ssd.ledger().snapshot().resident()).isEqualTo(below * PAGE);
            for (int name = 0; name < 8; name++) {
                assertThat(pool.where(name)).hasSize(1);
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
            }
        }
    }

    @Test
    void memoryForAReadThatTheSystemRefusesIsAWantOfRoomAndNotHeld() {
        FaultySys sys = new FaultySys(NativeSys.INSTANCE);
        sys.inject(call -> call.is("mmap"), new FaultySys.Fail(Errno.ENOMEM));
        Staging staging = new Staging(sys, 1 << 20, true);
        assertThat(staging.take(List.of(new ByteRange(0, 4096)))).isEmpty();
        assertThat(staging.heldBytes()).isZero();
        sys.heal();
        assertThat(staging.take(List.of(new ByteRange(0, 4096)))).isPresent();
        assertThat(staging.take(List.of(new ByteRange(0, 1 << 20))))
                .as("beyond the limit")
                .isEmpty();
        assertThat(staging.heldBytes()).isEqualTo(4096);
    }

    @Test
    void aMediumThatHangsAtItsEndHoldsUpNeitherTheOthersNorTheCaller() throws InterruptedException {
        FarMedium hanging = new FarMedium("far0", 8);
        FarMedium other = new FarMedium("far1", 8);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        hanging.beforeClose = () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        other.beforeClose = closed::countDown;
        TierConfig lower = TierConfig.of("far", Marks.DEFAULT, new TierMember(hanging, 1), new TierMember(other, 1));
        TierConfig upper = TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 8), 1));
        Thread closing = Thread.ofPlatform()
                .start(() -> Pool.open(PoolConfig.of(upper.offloadingTo("far"), lower))
                        .close());
        closed.await();
        closing.join();
        never.countDown();
    }
}
