package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SsdSpaceTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path dir;

    private long occupied() throws IOException {
        long bytes = 0;
        for (File file : Objects.requireNonNull(dir.toFile().listFiles())) {
            bytes += NativeSys.INSTANCE.statx(Sys.AT_FDCWD, file.toString(), 0).allocatedBytes();
        }
        return bytes;
    }

    @Test
    void g54_theDirectoryNeverOccupiesMoreThanItsCapacity() throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", dir, 64 * MIB));
        MediumFiller filler = new MediumFiller(ssd, 54);
        Random random = new Random(54);
        int[] sizes = {1, 4095, 4097, 1 << 20};
        for (int round = 0; round < 4; round++) {
            filler.fillWith(() -> sizes[random.nextInt(sizes.length)]);
            assertThat(occupied()).isLessThanOrEqualTo(64 * MIB);
            filler.dropHalf();
        }
        ssd.close();
        assertThat(occupied()).isLessThanOrEqualTo(64 * MIB);
    }

    @Test
    void g54_norDoesItWhileBlocksComeAndGoAndCheckpointsAreWritten() throws Exception {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", dir, 8 * MIB));
        MediumFiller filler = new MediumFiller(ssd, 54);
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Long> most = CompletableFuture.supplyAsync(() -> mostOccupied(done));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (ssd.numbers().orElseThrow().checkpoints().count() < 4) {
            assertThat(System.nanoTime()).as("four checkpoints in a minute").isLessThan(deadline);
            filler.fillWith(() -> 1);
            filler.dropHalf();
        }
        done.set(true);
        assertThat(most.get(10, TimeUnit.SECONDS)).isBetween(4 * MIB, 8 * MIB);
        ssd.close();
    }

    /** The most that the directory occupied at any look, one after the other until told. */
    private long mostOccupied(AtomicBoolean done) {
        long most = 0;
        while (!done.get()) {
            try {
                most = Math.max(most, occupied());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return most;
    }

    @Test
    void recordsTakeAtMostFivePercent() {
        for (long capacity : new long[] {64 * MIB, 4096 * MIB, 1L << 40}) {
            SsdLayout layout = SsdLayout.of(capacity, 4096);
            assertThat(layout.slabPages() * 4096.0 / capacity).isGreaterThanOrEqualTo(0.95);
            long pages16k = capacity / (16 << 10);
            assertThat(layout.checkpointBytes())
                    .as("room for a key of 128 bytes for each block of 16 KiB")
                    .isGreaterThan(pages16k * BlockRecord.bytes(128, 1, 1));
        }
    }

    @Test
    void whatAStartTakesIsKnownBeforeIt() {
        assertThat(SsdOptions.startBytes(64 * MIB, 4096)).isBetween(MIB / 2, MIB);
        assertThat(SsdOptions.startBytes(1L << 40, 4096)).isBetween(1L << 30, 2L << 30);
    }

    @Test
    void g58_valuesOf16KiBFillTheCapacity() throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", dir, 64 * MIB));
        assertThat(new MediumFiller(ssd, 1).fillWith(() -> 16 << 10)).isGreaterThan(0.99);
        assertThat(ssd.ledger().usedBytes()).isGreaterThan(64 * MIB * 95 / 100);
        ssd.close();
    }

    @Test
    void theLedgerIsAsFullAsTheShorterOfSlabAndRecords() throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", dir, 8 * MIB));
        List<Long> copies = new ArrayList<>();
        while (ssd.allocate(4096) instanceof Allocation.Allocated(long copy)) {
            ssd.commit(copy, new byte[1000], 1);
            copies.add(copy);
        }
        Ledger.Snapshot full = ssd.ledger().snapshot();
        assertThat(full.resident()).as("the records are the shorter").isLessThan(full.capacity() / 2);
        assertThat(full.used()).as("and the marks are reached").isGreaterThan(full.capacity() * 98 / 100);
        copies.subList(0, copies.size() / 2).forEach(ssd::free);
        assertThat(ssd.ledger().usedBytes()).isBetween(full.capacity() * 45 / 100, full.capacity() * 55 / 100);
        assertThat(ssd.allocate(4096)).isInstanceOf(Allocation.Allocated.class);
        copies.subList(copies.size() / 2, copies.size()).forEach(ssd::free);
        assertThat(ssd.ledger().usedBytes()).isEqualTo(4096);
        ssd.close();
    }

    @Test
    void whatHasSpaceHasRoomForItsRecordHoweverLongItsKeyIs() throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", dir, 8 * MIB));
        List<Long> copies = new ArrayList<>();
        while (ssd.allocate(4096, 1000) instanceof Allocation.Allocated(long copy)) {
            copies.add(copy);
        }
        for (long copy : copies) {
            ssd.write(copy, 0, MemorySegment.ofArray(new byte[4096]));
            ssd.seal(copy, new byte[1000], 1);
            assertThat(ssd.commit(copy, new byte[1000], 1)).isTrue();
        }
        assertThat(copies).hasSizeGreaterThan(100);
        ssd.close();
    }

    @Test
    void aRefusalForWantOfRoomForRecordsLeavesNothingBehindWhateverTheLengthOfTheKey() throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", dir, 8 * MIB));
        for (int keyBytes = 900; keyBytes <= 1200; keyBytes++) {
            List<Long> copies = new ArrayList<>();
            while (ssd.allocate(4096, keyBytes) instanceof Allocation.Allocated(long copy)) {
                copies.add(copy);
            }
            assertThat(copies).as("keys of %d bytes", keyBytes).hasSizeGreaterThan(100);
            copies.forEach(ssd::abort);
            assertNothingIsHeld(ssd);
        }
        ssd.close();
    }

    @Test
    void blocksOfWhichOneHasTooLongARecordAreRefusedTogether() throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", dir, 8 * MIB));
        for (int at : new int[] {0, 7, 15}) {
            assertThat(ssd.allocateTogether(sizes(16, i -> i == at ? 200_000 : 100)))
                    .isEmpty();
            assertThat(ssd.allocate(4096, 200_000)).isInstanceOf(Allocation.NoSpace.class);
            assertNothingIsHeld(ssd);
        }
        ssd.close();
    }

    @Test
    void blocksForWhoseRecordsThereIsNoRoomAtTheFirstTheMiddleOrTheLastAreRefusedTogether() throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", dir, 8 * MIB));
        long room = SsdLayout.of(8 * MIB, 4096).recordBytesMax();
        int record = BlockRecord.bytes(10_000, 1, 1);
        for (int fitting : new int[] {0, 7, 15, 16}) {
            long rest = room - (long) fitting * record - (fitting == 16 ? 0 : record - 1);
            List<Long> taken = new ArrayList<>();
            for (; rest > 0; rest -= Math.min(rest, 20_000)) {
                // The last two share what is left, so that neither is shorter than a record can be.
                long bytes = rest < 40_000 && rest > 20_000 ? rest / 2 : Math.min(rest, 20_000);
                int keyBytes = (int) bytes - BlockRecord.bytes(0, 1, 1);
                taken.add(((Allocation.Allocated) ssd.allocate(4096, keyBytes)).copy());
                rest += Math.min(rest, 20_000) - bytes;
            }
            long used = ssd.ledger().usedBytes();
            long[] together = ssd.allocateTogether(sizes(16, _ -> 10_000));
            assertThat(together).as("room for the records of %d", fitting).hasSize(fitting == 16 ? 16 : 0);
            Arrays.stream(together).forEach(ssd::abort);
            assertThat(ssd.ledger().usedBytes()).isEqualTo(used);
            taken.forEach(ssd::abort);
            assertNothingIsHeld(ssd);
        }
        ssd.close();
    }

    private static List<WholeBlock.Size> sizes(int blocks, IntUnaryOperator keyBytes) {
        return IntStream.range(0, blocks)
                .mapToObj(i -> new WholeBlock.Size(4096, keyBytes.applyAsInt(i)))
                .toList();
    }

    private static void assertNothingIsHeld(SsdMedium ssd) {
        Ledger.Snapshot ledger = ssd.ledger().snapshot();
        assertThat(ledger.free()).isEqualTo(ledger.capacity());
        // What the ledger calls free can be allocated, so the allocator and the slots are whole as well.
        List<Long> all = new ArrayList<>();
        for (long left = ledger.capacity(); left > 0; left -= Math.min(left, MIB)) {
            all.add(((Allocation.Allocated) ssd.allocate(Math.min(left, MIB))).copy());
        }
        assertThat(ssd.ledger().freeBytes()).isZero();
        all.forEach(ssd::abort);
    }

    @Test
    void aLargeBlockWhoseRecordCameLastIsRestoredBesideRecordsBeyondTheirShare() throws IOException {
        SsdHarness harness = new SsdHarness(dir);
        harness.put("large", SsdHarness.PAGES / 2 * 4096);
        for (int i = 0; i < 100; i++) {
            harness.put(String.valueOf(1000 + i).repeat(75), 4096);
        }
        harness.ssd.recordAs(harness.copyOf("large"), "large".getBytes(StandardCharsets.UTF_8), 1);
        harness.ssd.close();
        harness.reopen();
        assertThat(harness.recovered()).hasSize(101).containsKey("large");
        harness.ssd.close();
    }

    @Test
    void spaceIsGivenBackInSteps() throws IOException {
        FaultySys sys = new FaultySys(NativeSys.INSTANCE);
        DeviceHealth health = new DeviceHealth("/ssd0", System::nanoTime);
        Slab slab = new Slab(sys, dir.resolve("slab").toString(), Sys.O_RDWR | Sys.O_CREAT, health);
        sys.inject(call -> call.is("fallocate") && call.bytes() > 1 << 30, new FaultySys.Fail(Errno.EIO));
        slab.giveBack(1, (5 << 18) - 1, 4096);
        assertThat(sys.count("fallocate")).isEqualTo(5);
        slab.close();
    }

    @Test
    void impossibleOptionsAreRefused() {
        assertThatThrownBy(() -> SsdOptions.of("ssd0", dir, MIB)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SsdOptions.of("", dir, 64 * MIB)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SsdOptions("ssd0", dir, 64 * MIB, 2 << 20, 1, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBlockOf64MiBIsTaken() throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", dir, 80 * MIB));
        long copy = ((Allocation.Allocated) ssd.allocate(64 * MIB)).copy();
        byte[] content = new byte[(int) MIB];
        Arrays.fill(content, (byte) 5);
        for (int i = 0; i < 64; i++) {
            ssd.write(copy, i * MIB, MemorySegment.ofArray(content));
        }
        assertThat(ssd.commit(copy, new byte[] {1}, 1)).isTrue();
        ssd.copies().pin(copy);
        byte[] read = new byte[1000];
        ssd.read(copy, 64 * MIB - 1000, MemorySegment.ofArray(read));
        assertThat(read).containsOnly(5);
        ssd.close();
    }
}
