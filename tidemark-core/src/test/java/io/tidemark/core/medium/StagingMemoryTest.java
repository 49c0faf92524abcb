package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.StagingMemory.Piece;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagingMemoryTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final long HUGE_PAGE = 2 * MIB;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);

    private static Piece take(StagingMemory memory, long bytes) {
        return memory.take(bytes).orElseThrow();
    }

    @Test
    void nothingIsMappedBeforeThereIsAReadAndOneRangeIsForAll() {
        StagingMemory memory = new StagingMemory(sys, 64 * MIB, true);
        assertThat(sys.count("mmap")).isZero();
        List<Piece> pieces =
                Stream.generate(() -> take(memory, 64 * KIB)).limit(64).toList();
        assertThat(sys.count("mmap")).isOne();
        assertThat(pieces.stream()
                        .map(piece -> piece.segments().getFirst().address() / HUGE_PAGE)
                        .distinct()
                        .count())
                .as("huge pages of 4 MiB")
                .isLessThanOrEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hugePagesAreAskedForWhereTheyAreWanted(boolean huge) {
        take(new StagingMemory(sys, MIB, huge), 1);
        assertThat(sys.count("madvise")).isEqualTo(huge ? 1 : 0);
    }

    @Test
    void wherePiecesInUseLeaveNoRunThatIsLongEnoughAPieceHasSeveral() {
        StagingMemory memory = new StagingMemory(sys, 16 * MIB, true);
        List<Piece> pieces = Stream.generate(() -> take(memory, MIB)).limit(16).toList();
        for (int i = 0; i < 16; i += 2) {
            memory.giveBack(pieces.get(i));
        }
        Piece all = take(memory, 8 * MIB - 5);
        assertThat(all.segments()).hasSize(8);
        assertThat(all.segments().stream().mapToLong(MemorySegment::byteSize).sum())
                .isEqualTo(8 * MIB - 5);
        assertThat(memory.take(1)).isEmpty();
    }

    @Test
    void moreThanTheRangeIsMemoryOfItsOwn() {
        StagingMemory memory = new StagingMemory(sys, MIB, true);
        Piece large = take(memory, MIB + 1);
        take(memory, MIB);
        assertThat(memory.take(1)).isEmpty();
        memory.giveBack(large);
        assertThat(memory.take(1)).isEmpty();
        assertThat(memory.take(1L << 52)).as("the kernel has none").isEmpty();
    }

    @Test
    void aRangeThatTheKernelDoesNotMapIsTriedAgain() {
        sys.inject(call -> call.is("mmap"), new FaultySys.Fail(Errno.ENOMEM), 2);
        StagingMemory memory = new StagingMemory(sys, MIB, true);
        assertThat(memory.take(1)).isEmpty();
        assertThat(memory.take(1)).isEmpty();
        assertThat(memory.take(MIB)).isPresent();
    }

    @Test
    void withoutHugePagesItIsSmallOnes() {
        sys.inject(call -> call.is("madvise"), new FaultySys.Fail(Errno.EINVAL));
        assertThat(new StagingMemory(sys, MIB, true).take(MIB)).isPresent();
    }

    @Test
    void atRandomNoTwoPiecesOverlapWhatIsFreeCanBeTakenAndNothingBeyondTheRangeIsTouched() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long range = 24 * MIB;
        StagingMemory memory = new StagingMemory(sys, range, true);
        Piece whole = take(memory, range);
        long first = whole.segments().getFirst().address();
        memory.giveBack(whole);
        List<Piece> used = new ArrayList<>();
        List<Long> sizes = new ArrayList<>();
        long held = 0;
        for (int i = 0; i < 20_000; i++) {
            long bytes = 1 + random.nextLong((4 * KIB) << random.nextInt(10));
            long rounded = Math.ceilDiv(bytes, StagingMemory.PAGE_BYTES) * StagingMemory.PAGE_BYTES;
            while (held + rounded > range) {
                int at = random.nextInt(used.size());
                Collections.swap(used, at, used.size() - 1);
                Collections.swap(sizes, at, sizes.size() - 1);
                Piece piece = used.removeLast();
                mark(piece, 1, 0, seed);
                memory.giveBack(piece);
                held -= sizes.removeLast();
            }
            Piece piece = take(memory, bytes);
            assertThat(piece.segments().stream()
                            .mapToLong(MemorySegment::byteSize)
                            .sum())
                    .isEqualTo(bytes);
            for (MemorySegment segment : piece.segments()) {
                assertThat(segment.address() % StagingMemory.PAGE_BYTES).isZero();
                assertThat(segment.address() - first).as("seed %d", seed).isBetween(0L, range - segment.byteSize());
            }
            mark(piece, 0, 1, seed);
            used.add(piece);
            sizes.add(rounded);
            held += rounded;
        }
    }

    private static void mark(Piece piece, int before, int after, long seed) {
        for (MemorySegment segment : piece.segments()) {
            for (long at = 0; at < segment.byteSize(); at += StagingMemory.PAGE_BYTES) {
                assertThat(segment.get(ValueLayout.JAVA_BYTE, at))
                        .as("seed %d", seed)
                        .isEqualTo((byte) before);
                segment.set(ValueLayout.JAVA_BYTE, at, (byte) after);
            }
        }
    }
}
