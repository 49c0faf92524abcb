package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class UnwrittenEndsTest {
    @Test
    void allDevicesWriteBeforeTheFirstOfThemIsWaitedFor() {
        FarMedium hanging = new FarMedium("far0", 8);
        FarMedium sound = new FarMedium("far1", 8);
        TierConfig tier = TierConfig.of("far", Marks.DEFAULT, new TierMember(hanging, 1), new TierMember(sound, 1));
        TierConfig upper = TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 8), 1));
        TierGraph graph = new TierGraph(PoolConfig.of(upper.offloadingTo("far"), tier));
        UnwrittenEnds ends = new UnwrittenEnds(graph.backends());
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean inTime = new AtomicBoolean();
        sound.whenBegun = begun::countDown;
        hanging.failEnds = true;
        hanging.beforeAwait = () -> {
            try {
                inTime.set(begun.await(10, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        ends.note(graph.backend(1), 1, () -> 1);
        ends.note(graph.backend(2), 1, () -> 2);
        assertThat(ends.await(1, 2)).containsExactly("far0");
        assertThat(inTime).isTrue();
        assertThat(sound.awaited).as("it has written meanwhile").hasValue(0);
        hanging.close();
        sound.close();
    }

    @Test
    void keysOfADeviceWithoutWritesAreRememberedOneByOneUntilThereAreTooManyOfThem() {
        FarMedium below = new FarMedium("far0", 8);
        TierConfig tier = TierConfig.of("far", Marks.DEFAULT, new TierMember(below, 1));
        TierConfig upper = TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 8), 1));
        TierGraph graph = new TierGraph(PoolConfig.of(upper.offloadingTo("far"), tier));
        UnwrittenEnds ends = new UnwrittenEnds(graph.backends(), 3_000);
        below.readOnly = true;
        for (long hash = 0; hash < 3_000; hash++) { // one group
            ends.note(graph.backend(1), 1, constantly(hash));
        }
        for (long hash = 0; hash < 3_000; hash++) {
            assertThat(ends.any(hash)).isTrue();
        }
        assertThat(ends.any(3_000)).as("not one of them").isFalse();
        assertThat(ends.await(5, 3_000)).containsExactly("far0");
        ends.note(graph.backend(1), 1, constantly(5));
        assertThat(ends.any(3_000)).as("it was there already").isFalse();
        ends.note(graph.backend(1), 1, constantly(4_000));
        assertThat(ends.any(4_000)).isTrue();
        assertThat(ends.any(3_000)).as("of the same group").isTrue();
        assertThat(ends.any(1L << 32)).as("of another one").isFalse();
        assertThat(ends.awaitAll()).containsExactly("far0");
        below.close();
    }

    private static LongSupplier constantly(long hash) {
        return () -> hash;
    }
}
