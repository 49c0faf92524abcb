package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory lost its name: which deletions are told that something may be back. */
class LostNameEndsTest {
    private static final Duration SECONDS = Duration.ofSeconds(10);
    /** Calls of one look at seven files. */
    private static final int A_LOOK = 14;

    private static final int ENDED_BEFORE = 0;
    private static final int BELOW = 1;

    @TempDir
    Path folder;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private PoolHarness pool;

    @BeforeEach
    void aBlockEndedAndAnotherOneLiesBelowWhenTheNameIsLost() throws IOException {
        Path dir = folder.resolve("ssd");
        SsdMedium ssd = SsdMedium.open(sys, SsdOptions.of("ssd0", dir, 16L << 20));
        ssd.copies().trackOrder("lru");
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 64), 1));
        pool = PoolHarness.tiered(upper, TierConfig.of("ssd", marks, new TierMember(ssd, 1)), UnaryOperator.identity());
        for (int block : new int[] {ENDED_BEFORE, BELOW}) {
            pool.putPage(block);
            pool.evict(block, EvictionReason.CAPACITY);
            pool.settle();
            assertThat(pool.where(block)).containsExactly("ssd0");
        }
        assertThat(pool.evict(ENDED_BEFORE, EvictionReason.DELETED).unwritten()).isEmpty();
        long looks = sys.count("statx");
        await().atMost(SECONDS).until(() -> sys.count("statx") > looks + 2 * A_LOOK);
        Files.move(dir, folder.resolve("elsewhere"));
        await().atMost(SECONDS).until(() -> !ssd.health().healthy());
    }

    @AfterEach
    void close() {
        pool.close();
    }

    /** Another key that what ended under this one is found with. */
    private static int inTheGroupOf(int name) {
        KeyHash hash = KeyHash.seeded(1);
        int group = UnwrittenEnds.slot(hash.hash(PoolHarness.key(name).bytes()));
        return IntStream.range(2, 1_000_000)
                .filter(other ->
                        UnwrittenEnds.slot(hash.hash(PoolHarness.key(other).bytes())) == group)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aKeyThatSharesAGroupWithWhatEndedBeforeIsNotTold() {
        int other = inTheGroupOf(ENDED_BEFORE);
        assertThat(pool.evict(other, EvictionReason.DELETED).unwritten()).isEmpty();
        pool.putPage(other);
        assertThat(pool.evict(other, EvictionReason.DELETED).unwritten()).isEmpty();
        assertThat(pool.evict(ENDED_BEFORE, EvictionReason.DELETED).unwritten()).isEmpty();
    }

    @Test
    void aKeyWhoseCopyIsThereIsToldEachTime() {
        for (int time = 0; time < 2; time++) {
            assertThat(pool.evict(BELOW, EvictionReason.DELETED).unwritten()).containsExactly("ssd0");
        }
        assertThat(pool.evict(inTheGroupOf(ENDED_BEFORE), EvictionReason.DELETED)
                        .unwritten())
                .isEmpty();
    }
}
