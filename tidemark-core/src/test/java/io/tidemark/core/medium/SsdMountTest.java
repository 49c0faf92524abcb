package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real file system does; skipped where none can be mounted. */
class SsdMountTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    private LoopMount mount(long bytes) throws IOException {
        LoopMount mount = LoopMount.orSkip(folder, bytes);
        open.push(mount);
        return mount;
    }

    private SsdHarness open(LoopMount mount) throws IOException {
        SsdHarness harness = new SsdHarness(mount.dir());
        open.push(() -> harness.ssd.close());
        return harness;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable thing : open) {
            thing.close();
        }
    }

    private static void churn(SsdHarness harness, Random random, int steps) throws IOException {
        for (int step = 0; step < steps; step++) {
            String key = "key-" + random.nextInt(60);
            if (random.nextInt(8) == 0) {
                harness.delete(key);
            } else if (!harness.put(key, 1 + random.nextInt(random.nextInt(8) == 0 ? 150_000 : 9_000))) {
                harness.evict(harness.stored.firstKey());
            }
        }
    }

    @Test
    void g81_withTooLittleRoomTheSlabIsSmallerAndSoIsTheCapacity() throws IOException {
        LoopMount mount = mount(40 * MIB);
        try (SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", mount.dir(), 64 * MIB))) {
            assertThat(ssd.ledger().capacityBytes()).isBetween(16 * MIB, 40 * MIB);
            assertThat(new MediumFiller(ssd, 81).fillWith(() -> 50_000)).isGreaterThan(0.95);
            assertThat(ssd.allocate(50_000)).isEqualTo(new Allocation.NoSpace());
            assertThat(ssd.ledger().freeBytes()).isLessThan(50_000);
            assertThat(ssd.health()).isEqualTo(MediumHealth.HEALTHY);
        }
        try (SsdMedium again = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", mount.dir(), 64 * MIB))) {
            assertThat(again.copies().count()).as("a full disk costs no block").isPositive();
        }
    }

    @Test
    void g89_mountedReadOnlyItServesWhatIsThere() throws IOException {
        LoopMount mount = mount(32 * MIB);
        SsdHarness harness = open(mount);
        churn(harness, new Random(89), 200);
        NavigableMap<String, SsdHarness.Stored> before = new TreeMap<>(harness.stored);
        harness.ssd.close();
        mount.again("ro");
        harness.reopen();
        assertThat(harness.readRecovered()).isEqualTo(before);
        assertThat(harness.ssd.allocate(10)).isInstanceOf(Allocation.Unavailable.class);
        assertThat(harness.ssd.recordsEnds()).isFalse();
        assertThat(harness.ssd.health().why()).contains("read-only");
        long copy = before.firstEntry().getValue().copy();
        harness.ssd.copies().doom(copy);
        assertThatThrownBy(() -> harness.ssd.awaitEnds(harness.ssd.noteEnd(copy), 100))
                .hasMessageContaining("read-only");
        assertThat(harness.ssd.free(copy).outcome()).isEqualTo(Reclaimable.Outcome.FREED);
        harness.ssd.close();
        mount.again("rw");
        harness.reopen();
        assertThat(harness.readRecovered()).isEqualTo(before);
        assertThat(harness.put("new", 5_000)).isTrue();
    }

    @Test
    void g89_mountedReadOnlyWithNothingToServeTheStartSaysSo() throws IOException {
        LoopMount mount = mount(16 * MIB);
        Files.createDirectory(mount.dir());
        mount.again("ro");
        assertThatThrownBy(() -> new SsdHarness(mount.dir()))
                .hasMessageContaining("read-only file system and holds no blocks");
    }

    private static boolean matches(FaultySys.Call call, String name, CountDownLatch reached) {
        boolean slab = call.is(name, "slab");
        if (slab) {
            reached.countDown();
        }
        return slab;
    }

    @Test
    void twoNewDirectoriesOnOneFileSystemThatIsTooSmallBothGetRoom() throws Exception {
        LoopMount mount = mount(48 * MIB);
        CountDownLatch later = new CountDownLatch(1);
        CountDownLatch atItsSlab = new CountDownLatch(1);
        FaultySys other = new FaultySys(NativeSys.INSTANCE);
        other.inject(call -> matches(call, "openat", atItsSlab), new FaultySys.Hang(later), 1);
        SsdOpening second =
                SsdOpening.begin(other, SsdOptions.of("ssd1", mount.dir().resolveSibling("ssd1"), 64 * MIB));
        assertThat(atItsSlab.await(10, TimeUnit.SECONDS)).isTrue();
        // It holds all that is free, and has not yet noticed that this is too little.
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch full = new CountDownLatch(1);
        FaultySys slow = new FaultySys(NativeSys.INSTANCE);
        slow.inject(call -> matches(call, "ftruncate", full), new FaultySys.Hang(released), 1);
        SsdOpening first = SsdOpening.begin(slow, SsdOptions.of("ssd0", mount.dir(), 64 * MIB));
        assertThat(full.await(10, TimeUnit.SECONDS)).isTrue();
        later.countDown();
        second.await(System.nanoTime() + 300_000_000);
        released.countDown();
        long end = System.nanoTime() + 20_000_000_000L;
        for (SsdOpening opening : List.of(first, second)) {
            assertThat(opening.await(end)).isInstanceOfSatisfying(SsdOpening.Outcome.Opened.class, opened -> {
                try (SsdMedium ssd = opened.medium()) {
                    assertThat(ssd.ledger().capacityBytes()).isGreaterThan(4 * MIB);
                }
            });
        }
    }

    @Test
    void g53_twoTiersAndAForeignFileOnOneSmallFileSystemGetNoErrorForWantOfRoom() throws IOException {
        LoopMount mount = mount(48 * MIB);
        try (SsdMedium first = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", mount.dir(), 24 * MIB));
                SsdMedium second = SsdMedium.open(
                        NativeSys.INSTANCE, SsdOptions.of("ssd1", mount.dir().resolve("second"), 32 * MIB))) {
            assertThat(second.ledger().capacityBytes()).as("what was left").isLessThan(24 * MIB);
            assertThatThrownBy(() -> Files.write(mount.beside(), new byte[20 << 20]))
                    .as("a foreign process takes what is left and no more")
                    .isInstanceOf(IOException.class);
            for (SsdMedium ssd : List.of(first, second)) {
                assertThat(new MediumFiller(ssd, 53).fillWith(() -> 30_000)).isGreaterThan(0.95);
                assertThat(ssd.allocate(30_000)).isEqualTo(new Allocation.NoSpace());
                assertThat(ssd.health()).isEqualTo(MediumHealth.HEALTHY);
            }
        }
    }

    @Test
    void g120_aDirectoryThatTakesNoFilesStopsTheStartByName() throws IOException {
        LoopMount mount = mount(16 * MIB);
        Files.createDirectory(mount.dir());
        mount.protect(mount.dir(), true);
        try {
            assertThatThrownBy(() -> new SsdHarness(mount.dir()))
                    .hasMessageContaining(mount.dir().toString())
                    .hasMessageMatching(".*(EPERM|EACCES).*");
        } finally {
            mount.protect(mount.dir(), false);
        }
        assertThat(open(mount).put("k", 100)).isTrue();
    }

    @Test
    void aDeviceThatDiesTurnsUnhealthyAndFailsAtOnce() throws IOException {
        LoopMount mount = mount(32 * MIB);
        SsdHarness harness = open(mount);
        harness.put("k", 5_000);
        SsdHarness.Stored block = new SsdHarness.Stored(harness.copyOf("k"), harness.generation, 5_000);
        mount.cutOff();
        for (int i = 0; i < DeviceHealth.FAILURES_MAX; i++) {
            assertThatThrownBy(() -> harness.put("new", 100)).isInstanceOf(IOException.class);
        }
        assertThat(harness.put("new", 100)).as("refused without a call").isFalse();
        assertThatThrownBy(() -> harness.holds(block)).isInstanceOf(IOException.class);
        assertThat(harness.ssd.health().why()).contains("EIO");
        assertThat(harness.ssd.allocate(10)).isInstanceOf(Allocation.Unavailable.class);
        assertThat(harness.ssd.ledger().snapshot().reserved()).isZero();
    }

    /** Disk of a hypervisor, volume of a pool: what it says it has is not there when it is asked for. */
    @Test
    void g81_aThinDiskThatRunsOutServesWhatIsThereAndIsUsedAgainOnceItHasRoom() throws IOException {
        LoopMount mount = LoopMount.thinOrSkip(folder, 64 * MIB, 24 * MIB);
        open.push(mount);
        SsdHarness harness = open(mount);
        churn(harness, new Random(7), 100);
        assertThat(mount.sync()).isTrue();
        NavigableMap<String, SsdHarness.Stored> synced = new TreeMap<>(harness.stored);
        mount.exhaust(true);
        Set<String> errors = new TreeSet<>();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !isTaken(harness, errors)
                        && (errors.contains("EROFS") || !mount.sync())
                        && !harness.ssd.health().healthy());
        assertThat(errors).isNotEmpty().isSubsetOf("ENOSPC", "EIO", "EROFS");
        assertThat(harness.ssd.health().why()).contains("EROFS");
        assertThat(harness.ssd.allocate(10)).isInstanceOf(Allocation.Unavailable.class);
        for (SsdHarness.Stored block : synced.values()) {
            assertThat(harness.holds(block)).isTrue();
        }
        harness.ssd.close();
        mount.exhaust(false);
        mount.again("rw");
        harness.reopen();
        takeOver(harness);
        assertThat(harness.stored).containsAllEntriesOf(synced);
        assertThat(harness.ssd.health()).isEqualTo(MediumHealth.HEALTHY);
        assertThat(harness.put("new", 5_000)).isTrue();
    }

    /** Whether one more block is; what a call says that fails goes to the errors. */
    private static boolean isTaken(SsdHarness harness, Set<String> errors) throws IOException {
        try {
            return harness.put("more-" + harness.generation, 4_096);
        } catch (SysException e) {
            errors.add(Errno.name(e.errno()));
            return false;
        }
    }

    @Test
    void g88_afterAPowerCutNoByteIsWrongAndTheStoreWorks() throws IOException {
        LoopMount mount = mount(32 * MIB);
        SsdHarness harness = open(mount);
        Random random = new Random(88);
        for (int round = 0; round < 6; round++) {
            churn(harness, random, 150 + random.nextInt(300));
            mount.cutOff();
            harness.ssd.close();
            mount.again("rw");
            harness.discarded.clear(); // records of the last seconds are gone, also those of ends
            harness.reopen();
            takeOver(harness);
        }
        assertThat(harness.put("new", 5_000)).isTrue();
    }

    /** A checkpoint is synced; a journal that is on the device by its records alone would make all of it doubtful. */
    @Test
    void g88_aPowerCutAfterACheckpointLeavesWhatTheCheckpointHolds() throws IOException {
        LoopMount mount = mount(32 * MIB);
        SsdHarness harness = open(mount);
        for (int i = 0; i < 100; i++) {
            harness.put("k" + i, 5_000);
        }
        harness.reopen(); // with a checkpoint of its own where none was whole: the next start goes on behind it
        assertThat(mount.sync()).isTrue();
        harness.reopen();
        NavigableMap<String, SsdHarness.Stored> synced = harness.readRecovered();
        assertThat(synced).hasSize(100);
        assertThat(harness.put("new", 5_000)).isTrue();
        await().until(() -> harness.ssd.numbers().orElseThrow().checkpoints().count() > 0);
        mount.cutOff();
        harness.ssd.close();
        mount.again("rw");
        harness.reopen();
        takeOver(harness);
        assertThat(harness.stored).containsAllEntriesOf(synced);
    }

    /** Reads everything that was found: its own bytes or none. */
    private static void takeOver(SsdHarness harness) throws IOException {
        Map<String, SsdHarness.Stored> found = harness.recovered();
        harness.stored.clear();
        for (var entry : found.entrySet()) {
            try {
                assertThat(harness.holds(entry.getValue())).as(entry.getKey()).isTrue();
                harness.stored.put(entry.getKey(), entry.getValue());
            } catch (CorruptBlockException e) {
                harness.ssd.free(entry.getValue().copy());
            }
        }
        assertThat(harness.ssd.ledger().snapshot().reserved()).isZero();
    }
}
