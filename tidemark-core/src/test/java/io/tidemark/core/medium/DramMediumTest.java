package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DramMediumTest extends MediumContractTest {
    private static final long MIB = 1 << 20;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);

    @Override
    Medium open(int pages) throws IOException {
        return DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", pages * 4096L));
    }

    private static void awaitTouched(DramMedium dram) {
        await().until(() -> dram.ledger().snapshot().untouched() == 0);
    }

    @Test
    void servesFromTheTouchedPartAtOnce() throws IOException {
        CountDownLatch proceed = new CountDownLatch(1);
        sys.inject(
                call -> call.is("madvise") && call.on().equals("23") && call.number() >= 2,
                new FaultySys.Hang(proceed));
        DramMedium dram = DramMedium.open(sys, DramOptions.of("dram0", 64 * MIB));
        assertThat(dram.ledger().snapshot().untouched()).isEqualTo(60 * MIB);
        assertThat(dram.allocate(3 * MIB)).isInstanceOf(Allocation.Allocated.class);
        assertThat(dram.allocate(3 * MIB))
                .as("untouched pages are not handed out")
                .isEqualTo(new Allocation.NoSpace());
        proceed.countDown();
        awaitTouched(dram);
        assertThat(dram.allocate(3 * MIB)).isInstanceOf(Allocation.Allocated.class);
        assertThat(dram.ledger().snapshot().free()).isEqualTo(58 * MIB);
        dram.close();
    }

    @Test
    void touchesByHandWhereTheKernelCannotPopulate() throws IOException {
        sys.inject(call -> call.is("madvise"), new FaultySys.Fail(Errno.EINVAL));
        DramMedium dram = DramMedium.open(sys, DramOptions.of("dram0", 8 * MIB));
        awaitTouched(dram);
        assertThat(dram.ledger().freeBytes()).isEqualTo(8 * MIB);
        dram.close();
    }

    @Test
    void aRefusedMappingStopsTheStart() {
        sys.inject(call -> call.is("mmap"), new FaultySys.Fail(Errno.ENOMEM));
        assertThatThrownBy(() -> DramMedium.open(sys, DramOptions.of("dram0", MIB)))
                .isInstanceOf(SysException.class)
                .hasMessageContaining("mmap")
                .hasMessageContaining("ENOMEM");
    }

    @Test
    void theCapacityIsRoundedDownToPages() throws IOException {
        DramMedium dram = DramMedium.open(
                NativeSys.INSTANCE, DramOptions.of("dram0", 5 * MIB).withPageBytes(2 << 20));
        awaitTouched(dram);
        assertThat(dram.ledger().capacityBytes()).isEqualTo(4 * MIB);
        assertThat(dram.allocate(1)).isInstanceOf(Allocation.Allocated.class);
        assertThat(dram.ledger().snapshot().reserved()).isEqualTo(2 * MIB);
        dram.close();
    }

    @Test
    void impossibleOptionsAreRefused() {
        assertThatThrownBy(() -> DramOptions.of("dram0", 4095)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DramOptions.of(" ", MIB)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DramOptions.of("dram0", MIB).withPageBytes(0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DramOptions.of("dram0", MIB).withPageBytes(5000))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DramOptions.of("dram0", MIB).withMaxBlockBytes(3L << 30))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aClosedMediumTakesNothingAndStaysReadable() throws IOException {
        long copy = put(100);
        medium.copies().pin(copy);
        medium.close();
        assertThat(medium.allocate(1)).isInstanceOf(Allocation.Unavailable.class);
        assertThat(((MappedMedium) medium).segments(copy)).hasSize(1);
    }

    @Test
    void segmentsCoverABlockInOrder() throws IOException {
        MappedMedium mapped = (MappedMedium) medium;
        long whole = reserve(pages(2) + 5);
        assertThat(mapped.segments(whole)).extracting(MemorySegment::byteSize).containsExactly(pages(2) + 5);
        assertThat(mapped.segments(reserve(0))).isEmpty();
        long rest = medium.ledger().freeBytes();
        long a = put(pages(1));
        put(rest - pages(2));
        put(pages(1));
        medium.free(a);
        medium.abort(whole);
        long scattered = reserve(pages(3) + 1);
        List<MemorySegment> segments = mapped.segments(scattered);
        assertThat(segments).hasSizeGreaterThanOrEqualTo(1);
        assertThat(segments.stream().mapToLong(MemorySegment::byteSize).sum()).isEqualTo(pages(3) + 1);
    }

    @Test
    void segmentsOfAFreedCopyAreRefused() throws IOException {
        long copy = put(100);
        medium.free(copy);
        assertThatThrownBy(() -> ((MappedMedium) medium).segments(copy)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void socketsReadIntoAndWriteFromTheArena(@TempDir Path dir) throws IOException {
        MappedMedium mapped = (MappedMedium) medium;
        long source = put(4000);
        long target = reserve(4000);
        ByteBuffer out = mapped.segments(source).getFirst().asByteBuffer();
        ByteBuffer in = mapped.segments(target).getFirst().asByteBuffer();
        assertThat(out.isDirect()).isTrue();
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(dir.resolve("s"));
        try (ServerSocketChannel server =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
                SocketChannel client = SocketChannel.open(address);
                SocketChannel accepted = server.accept()) {
            client.write(out);
            while (in.hasRemaining()) {
                accepted.read(in);
            }
        }
        assertThat(mapped.segments(target)
                        .getFirst()
                        .mismatch(mapped.segments(source).getFirst()))
                .isEqualTo(-1);
    }

    @Test
    void g37_countsTiersOfAnySizeWithoutOverflow() throws IOException {
        sys.inject(call -> call.is("madvise"), new FaultySys.Skip());
        for (long capacity : new long[] {16L << 30, 64L << 30, 4L << 40}) {
            DramMedium dram =
                    DramMedium.open(sys, new DramOptions("dram0", capacity, 2 << 20, Integer.MAX_VALUE, true));
            awaitTouched(dram);
            assertThat(dram.allocate(3L << 30)).isEqualTo(new Allocation.TooLarge(Integer.MAX_VALUE));
            long blocks = 0;
            while (dram.allocate(3L << 29) instanceof Allocation.Allocated) {
                blocks++;
            }
            assertThat(blocks).isEqualTo(capacity / (3L << 29));
            assertThat(dram.ledger().snapshot().reserved()).isEqualTo(blocks * (3L << 29));
            dram.close();
        }
    }

    @Test
    void g58_everyKindOfValueFillsTheMedium() throws IOException {
        DramMedium dram = DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", 16 * MIB));
        awaitTouched(dram);
        MediumFiller filler = new MediumFiller(dram, 58);
        for (long bytes : new long[] {64 << 10, MIB, 7 << 10}) {
            assertThat(filler.fillWith(() -> bytes)).isGreaterThanOrEqualTo(0.95);
            filler.clear();
        }
        for (int round = 0; round < 20; round++) {
            assertThat(filler.fillWith(filler::mixedSize)).isGreaterThanOrEqualTo(0.85);
            filler.dropHalf();
        }
        dram.close();
    }

    @Test
    void touchedPagesAreZeroAndWritable() throws IOException {
        long copy = reserve(4096);
        MemorySegment page = ((MappedMedium) medium).segments(copy).getFirst();
        assertThat(page.get(ValueLayout.JAVA_BYTE, 4095)).isZero();
        page.set(ValueLayout.JAVA_BYTE, 4095, (byte) 1);
    }
}
