package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.StagingMemory.Piece;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
                        .map(piece -> piece.segment().address() / HUGE_PAGE)
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
    void smallPiecesThatStayLeaveRoomForALargeOne() {
        StagingMemory memory = new StagingMemory(sys, 16 * MIB, true);
        for (long bytes = 64 * KIB; bytes < 96 * KIB; bytes += 8 * KIB) {
            take(memory, bytes);
        }
        assertThat(memory.take(12 * MIB)).isPresent();
    }

    @Test
    void wherePiecesInUseLeaveNoRunThatIsLongEnoughNothingIsTakenAndAllIsThereLater() {
        StagingMemory memory = new StagingMemory(sys, 16 * MIB, true);
        List<Piece> pieces = new ArrayList<>(
                Stream.generate(() -> take(memory, MIB)).limit(16).toList());
        for (int i = 0; i < 16; i += 2) {
            memory.giveBack(pieces.get(i));
        }
        assertThat(memory.take(2 * MIB)).isEmpty();
        for (int i = 0; i < 8; i++) {
            take(memory, MIB);
        }
        assertThat(memory.take(1)).isEmpty();
        for (int i = 1; i < 16; i += 2) {
            memory.giveBack(pieces.get(i));
        }
        assertThat(memory.take(8 * MIB)).as("every second one is in use").isEmpty();
    }

    @Test
    void moreThanThereIsIsNeverTaken() {
        StagingMemory memory = new StagingMemory(sys, MIB, true);
        assertThat(memory.take(MIB + 1)).isEmpty();
        assertThat(memory.take(1L << 52)).isEmpty();
        Piece whole = take(memory, MIB);
        assertThat(memory.take(1)).isEmpty();
        memory.giveBack(whole);
        assertThat(memory.take(MIB)).isPresent();
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
    void atRandomNoTwoPiecesInUseOverlapAndWhatIsGivenBackIsOneRunAgain() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        StagingMemory memory = new StagingMemory(sys, 24 * MIB, true);
        List<Piece> used = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            long bytes = 1 + random.nextLong((4 * KIB) << random.nextInt(10));
            Optional<Piece> taken = random.nextInt(5) < 3 ? memory.take(bytes) : Optional.empty();
            if (taken.isPresent()) {
                MemorySegment segment = taken.get().segment();
                assertThat(segment.byteSize()).isEqualTo(bytes);
                assertThat(segment.address() % StagingMemory.PAGE_BYTES).isZero();
                mark(segment, 0, 1, seed);
                used.add(taken.get());
            } else if (!used.isEmpty()) {
                Collections.swap(used, random.nextInt(used.size()), used.size() - 1);
                Piece piece = used.removeLast();
                mark(piece.segment(), 1, 0, seed);
                memory.giveBack(piece);
            }
        }
        used.forEach(memory::giveBack);
        assertThat(memory.take(24 * MIB)).as("seed %d", seed).isPresent();
    }

    private static void mark(MemorySegment segment, int before, int after, long seed) {
        for (long at : new long[] {0, segment.byteSize() - 1}) {
            assertThat(segment.get(ValueLayout.JAVA_BYTE, at))
                    .as("seed %d", seed)
                    .isIn((byte) before, (byte) (segment.byteSize() == 1 ? after : before));
            segment.set(ValueLayout.JAVA_BYTE, at, (byte) after);
        }
    }
}
