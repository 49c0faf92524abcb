package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SsdFaultTest extends SsdHarnessTest {
    private RandomAccessFile slab() throws IOException {
        return new RandomAccessFile(dir.resolve("slab").toFile(), "rw");
    }

    private static void xor(RandomAccessFile file, long at, int bits) throws IOException {
        file.seek(at);
        int old = file.read();
        file.seek(at);
        file.write(old ^ bits);
    }

    private void assertAllCorrupt() throws IOException {
        for (SsdHarness.Stored block : harness.stored.values()) {
            assertThatThrownBy(() -> harness.holds(block)).isInstanceOf(CorruptBlockException.class);
        }
    }

    private boolean holds(SsdHarness.Stored block) {
        try {
            return harness.holds(block);
        } catch (IOException e) {
            return false;
        }
    }

    private void fillWithPages() throws IOException {
        for (int i = 0; harness.put("key-" + i, 4096); i++) {
            assertThat(i).isLessThan(SsdHarness.PAGES);
        }
    }

    @Test
    void g86_oneFlippedBitAnywhereIsFound() throws IOException {
        fillWithPages();
        Random random = new Random(86);
        try (RandomAccessFile file = slab()) {
            for (int page = 0; page < SsdHarness.PAGES; page++) {
                xor(file, page * 4096L + random.nextInt(4096), 1 << random.nextInt(8));
            }
        }
        assertAllCorrupt();
    }

    @Test
    void g82_swappedBlocksDoNotVerify() throws IOException {
        harness.put("a", 4096);
        harness.put("b", 4096);
        byte[] pages = new byte[8192];
        try (RandomAccessFile file = slab()) {
            long first = 0;
            file.seek(first);
            file.readFully(pages);
            file.seek(first);
            file.write(pages, 4096, 4096);
            file.write(pages, 0, 4096);
        }
        assertAllCorrupt();
    }

    @Test
    void g82_aTruncatedSlabIsAMissAndTheNextPutWorks() throws IOException {
        harness.put("k", 9000);
        try (RandomAccessFile file = slab()) {
            file.setLength(0);
        }
        assertAllCorrupt();
        harness.delete("k");
        harness.put("k", 9000);
        assertThat(harness.stored.values()).allMatch(this::holds);
    }

    /** One bad sector in a checkpoint: the device takes nothing more, and nobody waits to hear that. */
    @Test
    @Timeout(30)
    void aCheckpointThatCannotBeMadePutsTheDeviceOutOfUseForWritingOnlyUntilOneIsMade() throws IOException {
        harness.put("k", 4096);
        harness.put("gone", 4096);
        harness.sys.inject(call -> call.is("pread", "checkpoint-"), new FaultySys.Fail(Errno.EIO));
        boolean full = false;
        for (int i = 0; i < 10_000 && !full; i++) {
            try {
                full = !harness.put("again", 4096);
            } catch (IOException e) {
                full = true;
            }
        }
        assertThat(harness.ssd.health().why()).contains("journal is full").contains("EIO");
        long begun = System.nanoTime();
        for (int i = 0; i < 100; i++) {
            assertThat(harness.ssd.allocate(4096)).isInstanceOf(Allocation.Unavailable.class);
        }
        long copy = harness.copyOf("gone");
        harness.ssd.copies().doom(copy);
        long mark = harness.ssd.noteEnd(copy);
        assertThatThrownBy(() -> harness.ssd.awaitEnds(mark, 5_000)).isInstanceOf(UnavailableException.class);
        assertThat((System.nanoTime() - begun) / 1_000_000).isLessThan(1_000);
        assertThat(harness.ssd.readable()).isTrue();
        assertThat(harness.holds(Objects.requireNonNull(harness.stored.get("k"))))
                .isTrue();
        harness.sys.heal();
        await().until(() -> harness.ssd.health().healthy());
        assertThat(harness.put("new", 4096)).isTrue();
        harness.ssd.awaitEnds(mark, 5_000);
        harness.ssd.free(copy);
    }

    @Test
    void aRangeIsVerifiedAlone() throws IOException {
        int bytes = 3 * Checksums.CHUNK_BYTES + 100;
        harness.put("k", bytes);
        try (RandomAccessFile file = slab()) {
            xor(file, 5000, 1);
        }
        long copy = harness.copyOf("k");
        harness.ssd.copies().pin(copy);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment part = arena.allocate(70_000);
            harness.ssd.read(copy, Checksums.CHUNK_BYTES + 3, part);
            MemorySegment whole = SsdHarness.content(arena, harness.generation, bytes);
            assertThat(part.mismatch(whole.asSlice(Checksums.CHUNK_BYTES + 3, 70_000)))
                    .isEqualTo(-1);
            assertThatThrownBy(() -> harness.ssd.read(copy, 0, part)).isInstanceOf(CorruptBlockException.class);
        }
    }

    @Test
    void blocksMayBeWrittenInPiecesOutOfOrderAndFromTheHeap() throws IOException {
        Random random = new Random(3);
        for (int round = 0; round < 20; round++) {
            int bytes = 1 + random.nextInt(300_000);
            byte[] content = new byte[bytes];
            random.nextBytes(content);
            long copy = ((Allocation.Allocated) harness.ssd.allocate(bytes)).copy();
            List<Integer> cuts = random.ints(4, 0, bytes + 1).boxed().sorted().toList();
            int[] edges = {0, cuts.get(0), cuts.get(1), cuts.get(2), cuts.get(3), bytes};
            for (int i : round % 2 == 0 ? new int[] {0, 1, 2, 3, 4} : new int[] {3, 0, 4, 2, 1}) {
                MemorySegment piece = MemorySegment.ofArray(content).asSlice(edges[i], edges[i + 1] - edges[i]);
                harness.ssd.write(copy, edges[i], piece);
            }
            assertThat(harness.ssd.commit(copy, new byte[] {1}, 1)).isTrue();
            harness.ssd.copies().pin(copy);
            byte[] read = new byte[bytes];
            harness.ssd.read(copy, 0, MemorySegment.ofArray(read));
            assertThat(read).isEqualTo(content);
            harness.ssd.copies().unpin(copy);
            harness.ssd.free(copy);
        }
    }

    @Test
    void g29_aFailedWriteLeavesNothing() throws IOException {
        harness.sys.inject(call -> call.is("pwrite") && call.bytes() == 20_480, new FaultySys.Partial(8192), 1);
        harness.sys.inject(call -> call.is("pwrite") && call.bytes() == 12_288, new FaultySys.Fail(Errno.EIO), 1);
        for (int i = 0; i < 50; i++) {
            try {
                harness.put("key-" + i, 20_480);
            } catch (SysException e) {
                assertThat(e.errno()).isEqualTo(Errno.EIO);
            }
        }
        assertThat(harness.stored).hasSize(49);
        assertThat(harness.ssd.ledger().usedBytes()).isEqualTo(49 * 20_480);
        assertThat(harness.stored.values()).allMatch(this::holds);
        Map<String, SsdHarness.Stored> before = Map.copyOf(harness.stored);
        harness.reopen();
        assertThat(harness.readRecovered()).isEqualTo(before);
    }

    @Test
    void g81_shortReadsAndWritesAreContinued() throws IOException {
        harness.sys.inject(call -> call.is("pwrite") && call.number() % 3 == 0, new FaultySys.Partial(4096));
        harness.sys.inject(call -> call.is("pread") && call.number() % 3 == 0, new FaultySys.Partial(4096));
        for (int i = 0; i < 8; i++) {
            harness.put("key-" + i, 10_000 * (i + 1));
        }
        assertThat(harness.stored.values()).allMatch(this::holds);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOSPC, Errno.EDQUOT})
    void g81_pagesWithoutRoomBehindThemLeaveTheCapacityUntilThereIsRoom(int errno) throws IOException {
        harness.sys.inject(call -> call.is("pwrite") && call.bytes() == 8192, new FaultySys.Fail(errno), 1);
        assertThatThrownBy(() -> harness.put("k", 8192)).isInstanceOf(SysException.class);
        assertThat(harness.ssd.ledger().snapshot())
                .isEqualTo(new Ledger.Snapshot(256 * 4096, 8192, 254 * 4096, 0, 0, 0));
        assertThat(harness.ssd.health().healthy()).as("full is not broken").isTrue();
        assertThat(harness.ssd.numbers().orElseThrow().lostBytes()).isEqualTo(8192);
        assertThat(harness.put("k", 8192))
                .as("nothing else is tried for a moment")
                .isFalse();
        await().until(() -> harness.ssd.ledger().snapshot().untouched() == 0);
        assertThat(harness.ssd.numbers().orElseThrow().lostBytes()).isZero();
        assertThat(harness.put("k", SsdHarness.PAGES * 4096)).isTrue();
        assertThat(harness.stored.values()).allMatch(this::holds);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOSPC, Errno.EDQUOT})
    void g81_aDiskThatStaysFullCostsAFewBlocksASecondAndNotAllThatIsFree(int errno) throws IOException {
        harness.sys.inject(call -> call.is("pwrite", "slab"), new FaultySys.Fail(errno));
        for (int i = 0; i < 50; i++) {
            try {
                harness.put("key-" + i, 4096);
            } catch (SysException e) {
                assertThat(e.errno()).isEqualTo(errno);
            }
        }
        assertThat(harness.ssd.ledger().snapshot().untouched()).isLessThanOrEqualTo(5 * 4096);
    }

    @Test
    void aJournalWriteThatHangsKeepsNobodyWhoWaitsForAnEnd() throws IOException {
        fillWithPages();
        CountDownLatch released = new CountDownLatch(1);
        harness.sys.inject(call -> call.is("pwrite", "journal"), new FaultySys.Hang(released), 1);
        List<Long> marks = new ArrayList<>();
        for (String key : List.of("key-1", "key-2", "key-3")) {
            long copy = harness.copyOf(key);
            harness.ssd.copies().doom(copy);
            marks.add(harness.ssd.noteEnd(copy));
            assertThatThrownBy(() -> harness.ssd.awaitEnds(marks.getLast(), 50))
                    .isInstanceOf(UnavailableException.class);
            harness.ssd.free(copy);
            harness.stored.remove(key);
        }
        released.countDown();
        harness.ssd.awaitEnds(marks.getLast(), 5_000);
        harness.reopen();
        assertThat(harness.readRecovered()).doesNotContainKeys("key-1", "key-2", "key-3");
    }

    @Test
    void evictingDoesNoDataIo() throws IOException {
        fillWithPages();
        long reads = harness.sys.count("pread");
        long writes = harness.sys.count("pwrite");
        List.copyOf(harness.stored.keySet()).subList(0, 64).forEach(harness::evict);
        assertThat(harness.sys.count("pread")).isEqualTo(reads);
        assertThat(harness.sys.count("pwrite") - writes)
                .as("batches of the journal")
                .isLessThanOrEqualTo(3);
        await().until(() -> harness.sys.count("pwrite") > writes);
    }

    @Test
    void anEvictedBlockIsRecordedAsGoneBeforeItsPagesAreWritten() throws IOException {
        fillWithPages();
        harness.evict("key-7");
        long slabWrites = harness.sys.count("pwrite");
        harness.sys.inject(
                call -> call.is("pwrite") && call.bytes() == 4096 && call.number() >= slabWrites,
                new FaultySys.Kill(4096));
        assertThatThrownBy(() -> harness.put("new", 4096)).isInstanceOf(FaultySys.Killed.class);
        harness.reopen();
        assertThat(harness.readRecovered()).doesNotContainKeys("key-7", "new").hasSize(SsdHarness.PAGES - 1);
    }

    @Test
    void aJournalThatFailsPublishesNothingAndRecovers() throws IOException {
        harness.put("a", 4096);
        harness.sys.inject(call -> call.is("pwrite") && call.bytes() < 4096, new FaultySys.Fail(Errno.EIO), 2);
        assertThatThrownBy(() -> harness.put("b", 4096)).isInstanceOf(SysException.class);
        harness.sys.heal();
        harness.put("c", 4096);
        Map<String, SsdHarness.Stored> before = Map.copyOf(harness.stored);
        harness.reopen();
        assertThat(harness.readRecovered()).isEqualTo(before).containsOnlyKeys("a", "c");
    }

    @Test
    void anUnhealthyDeviceIsBypassedAndTriedAgain() throws IOException {
        harness.put("k", 4096);
        harness.sys.inject(call -> call.is("pread"), new FaultySys.Fail(Errno.EIO));
        SsdHarness.Stored block = new SsdHarness.Stored(harness.copyOf("k"), harness.generation, 4096);
        for (int i = 0; i < DeviceHealth.FAILURES_MAX; i++) {
            assertThatThrownBy(() -> harness.holds(block)).isInstanceOf(SysException.class);
        }
        assertThat(harness.ssd.health().healthy()).isFalse();
        assertThat(harness.ssd.health().why()).contains("EIO");
        assertThat(harness.ssd.allocate(4096)).isInstanceOf(Allocation.Unavailable.class);
        long reads = harness.sys.count("pread");
        assertThatThrownBy(() -> harness.holds(block)).hasMessageContaining("out of use");
        assertThat(harness.sys.count("pread")).as("no call while bypassed").isEqualTo(reads);
        harness.sys.heal();
        await().ignoreExceptions().until(() -> harness.holds(block));
        assertThat(harness.ssd.health()).isEqualTo(MediumHealth.HEALTHY);
    }

    @Test
    void g89_turnedReadOnlyReadsGoOnAndItHealsByItself() throws IOException {
        harness.put("k", 4096);
        SsdHarness.Stored block = new SsdHarness.Stored(harness.copyOf("k"), harness.generation, 4096);
        harness.sys.inject(call -> call.is("pwrite"), new FaultySys.Fail(Errno.EROFS));
        for (int i = 0; i < DeviceHealth.FAILURES_MAX; i++) {
            assertThatThrownBy(() -> harness.put("new", 4096)).hasMessageContaining("EROFS");
        }
        assertThat(harness.ssd.allocate(4096)).isInstanceOf(Allocation.Unavailable.class);
        assertThat(harness.holds(block)).isTrue();
        assertThat(harness.ssd.health().why()).contains("EROFS");
        harness.sys.heal();
        await().until(() -> harness.ssd.health().healthy());
        assertThat(harness.put("new", 4096)).isTrue();
    }

    @Test
    void aDeviceThatNobodyUsesIsTriedAgainAsWell() throws IOException {
        harness.put("k", 4096);
        SsdHarness.Stored block = new SsdHarness.Stored(harness.copyOf("k"), harness.generation, 4096);
        harness.sys.inject(call -> call.is("pread"), new FaultySys.Fail(Errno.EIO), DeviceHealth.FAILURES_MAX);
        for (int i = 0; i < DeviceHealth.FAILURES_MAX; i++) {
            assertThatThrownBy(() -> harness.holds(block)).isInstanceOf(SysException.class);
        }
        assertThat(harness.ssd.health().healthy()).isFalse();
        await().until(() -> harness.ssd.health().healthy());
    }

    @Test
    void endsOfEvictedBlocksAreWrittenWhileADeviceCannotBeRead() throws IOException {
        harness.put("k", 4096);
        harness.put("other", 4096);
        SsdHarness.Stored block = new SsdHarness.Stored(harness.copyOf("k"), harness.generation - 1, 4096);
        harness.sys.inject(call -> call.is("pread"), new FaultySys.Fail(Errno.EIO));
        for (int i = 0; i < DeviceHealth.FAILURES_MAX; i++) {
            assertThatThrownBy(() -> harness.holds(block)).isInstanceOf(SysException.class);
        }
        for (String key : List.of("k", "other")) {
            long copy = harness.copyOf(key);
            harness.ssd.copies().doom(copy);
            long mark = harness.ssd.noteEnd(copy);
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofMillis(900))
                    .until(() -> harness.ssd.endsWritten(mark));
        }
    }

    @Test
    void aRecordThatNoFileCanHoldIsRefused() throws IOException {
        long copy = ((Allocation.Allocated) harness.ssd.allocate(10)).copy();
        harness.ssd.write(copy, 0, MemorySegment.ofArray(new byte[10]));
        assertThatThrownBy(() -> harness.ssd.seal(copy, new byte[65_536], 1)).hasMessageContaining("record");
        assertThat(harness.ssd.abort(copy)).isTrue();
        assertThat(harness.ssd.ledger().usedBytes()).isZero();
    }
}
