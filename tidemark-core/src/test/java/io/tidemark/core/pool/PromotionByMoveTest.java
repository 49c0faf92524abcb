package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory takes no writes for a while, and its blocks are read meanwhile, more than memory holds: none of them is lost. */
class PromotionByMoveTest {
    private static final Duration SECONDS = Duration.ofSeconds(10);
    private static final int BLOCKS = 100;
    private static final int MEMORY_PAGES = 64;

    @TempDir
    Path folder;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private Path dir;
    private SsdMedium ssd;
    private PoolHarness pool;

    @BeforeEach
    void someBlocksLieBelow() throws IOException {
        dir = folder.resolve("ssd");
        ssd = SsdMedium.open(sys, SsdOptions.of("ssd0", dir, 16L << 20));
        ssd.copies().trackOrder("lru");
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", MEMORY_PAGES), 1));
        TierConfig lower = TierConfig.of("ssd", marks, new TierMember(ssd, 1)).promoting(new Promotion(1, true));
        PoolConfig config = PoolConfig.of(upper.offloadingTo("ssd"), lower).with(new DeviceReads(5_000, 4, 1 << 20));
        pool = new PoolHarness(config, KeyHash.seeded(1));
        for (int block = 0; block < BLOCKS; block++) {
            putBelow(block);
            assertThat(pool.where(block)).containsExactly("ssd0");
        }
    }

    @AfterEach
    void close() {
        sys.heal();
        pool.close();
    }

    private void putBelow(int block) {
        pool.putPage(block);
        pool.evict(block, EvictionReason.CAPACITY);
        pool.settle();
    }

    private void readAll() {
        for (int block = 0; block < BLOCKS; block++) {
            assertThat(pool.get(block)).as("block %d", block).isEqualTo(value(block, PAGE));
            pool.settle();
        }
    }

    private void assertAllStayedAndGoUpAgain() {
        await().atMost(SECONDS).until(() -> ssd.health().healthy());
        for (int block = 0; block < BLOCKS; block++) {
            assertThat(pool.where(block)).as("block %d", block).contains("ssd0");
        }
        pool.get(0);
        pool.settle();
        assertThat(pool.where(0)).containsExactly("dram0");
    }

    @Test
    void whatIsReadFromADirectoryThatLostItsNameStaysThere() throws IOException {
        Files.move(dir, folder.resolve("elsewhere"));
        await().atMost(SECONDS).until(() -> !ssd.health().healthy());
        readAll();
        assertThat(pool.where(BLOCKS - 1)).as("read from memory next").containsExactly("dram0", "ssd0");
        Files.move(folder.resolve("elsewhere"), dir);
        assertAllStayedAndGoUpAgain();
    }

    @Test
    void whatIsReadFromADeviceThatFailsWritesStaysThere() {
        sys.inject(call -> call.name().startsWith("pwrite"), new FaultySys.Fail(Errno.EIO));
        for (int block = BLOCKS; ssd.health().healthy(); block++) {
            putBelow(block);
        }
        readAll();
        sys.heal();
        assertAllStayedAndGoUpAgain();
    }
}
