package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.HugeMemory;
import io.tidemark.core.pool.StagingMemory.Piece;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagingMemoryTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    private static Piece take(StagingMemory memory, long bytes) {
        return memory.take(bytes, false).orElseThrow();
    }

    private static long hugePage(Piece piece) {
        return piece.segment.address() / HugeMemory.PAGE_BYTES;
    }

    @Test
    void smallPiecesOfOneSizeShareAHugePage() {
        StagingMemory memory = new StagingMemory(64 * MIB, true);
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            pieces.add(take(memory, 64 * KIB));
        }
        assertThat(pieces.stream().map(StagingMemoryTest::hugePage).distinct()).hasSize(1);
        assertThat(pieces.stream().map(piece -> piece.segment.address()).distinct())
                .hasSize(32)
                .allMatch(address -> address % (64 * KIB) == 0);
        assertThat(hugePage(take(memory, 64 * KIB))).isNotEqualTo(hugePage(pieces.getFirst()));
    }

    @ParameterizedTest
    @ValueSource(longs = {2 << 20, 5 << 20, 64 << 20})
    void largeOnesBeginWithAHugePage(long bytes) {
        Piece piece = take(new StagingMemory(128 * MIB, true), bytes);
        assertThat(piece.segment.address() % HugeMemory.PAGE_BYTES).isZero();
        assertThat(piece.segment.byteSize()).isEqualTo(bytes);
    }

    /** Every size that values are rounded to, so that none leaves more than an eighth of its pages over. */
    @Test
    void piecesOfEverySizeAreAlignedApartAndUsedAgain() {
        StagingMemory memory = new StagingMemory(1 << 30, true);
        for (long power = 32 * KIB; power <= 8 * MIB; power *= 2) {
            for (long bytes = power; bytes < 2 * power; bytes += power / 8) {
                Piece first = take(memory, bytes);
                Piece second = take(memory, bytes);
                assertThat(first.segment.address() % 4096).isZero();
                assertThat(second.segment.address() % 4096).isZero();
                assertThat(Math.abs(first.segment.address() - second.segment.address()))
                        .isGreaterThanOrEqualTo(bytes);
                second.segment.fill((byte) 1);
                memory.giveBack(second);
                assertThat(take(memory, bytes)).as("%d bytes", bytes).isSameAs(second);
            }
        }
    }

    /** What is shared can go only together, so half of the room is for what is not. */
    @Test
    void piecesThatKeepHugePagesFromGoingLeaveRoomForOtherSizes() {
        StagingMemory memory = new StagingMemory(16 * MIB, true);
        List<Piece> kept = new ArrayList<>();
        for (long bytes = 64 * KIB; bytes < 128 * KIB; bytes += 8 * KIB) {
            kept.add(take(memory, bytes));
        }
        for (int i = 0; i < 7; i++) {
            kept.add(take(memory, MIB));
        }
        kept.forEach(memory::giveBack);
        assertThat(memory.take(16 * MIB, false)).as("all of it went back").isPresent();
        assertThat(memory.take(4 * KIB, false)).isEmpty();
    }

    @Test
    void beyondTheLimitIsOnlyWhatMayBe() {
        StagingMemory memory = new StagingMemory(MIB, true);
        assertThat(memory.take(2 * MIB, false)).isEmpty();
        Piece large = memory.take(2 * MIB, true).orElseThrow();
        assertThat(memory.take(4 * KIB, false)).isEmpty();
        memory.giveBack(large);
        assertThat(memory.take(4 * KIB, false)).as("its memory went back").isPresent();
        assertThat(large.segment.scope().isAlive()).isFalse();
    }

    @Test
    void memoryThatAReaderIsInTheMiddleOfStays() throws Exception {
        StagingMemory memory = new StagingMemory(4 * MIB, true);
        Piece piece = take(memory, 4 * MIB);
        Pipe pipe = Pipe.open();
        ByteBuffer bytes = piece.segment.asByteBuffer();
        Thread reader = Thread.ofPlatform().daemon().start(() -> read(pipe, bytes));
        memory.giveBack(piece);
        await().until(() -> reader.getStackTrace().length > 0 && isReading(reader));
        assertThat(memory.take(64 * KIB, false)).isEmpty();
        assertThat(piece.segment.scope().isAlive()).isTrue();
        pipe.sink().write(ByteBuffer.allocate(1));
        reader.join();
        assertThat(memory.take(64 * KIB, false)).isPresent();
        assertThat(piece.segment.scope().isAlive()).isFalse();
    }

    private static boolean isReading(Thread reader) {
        return Arrays.stream(reader.getStackTrace())
                .anyMatch(
                        frame -> frame.isNativeMethod() && frame.getMethodName().startsWith("read"));
    }

    private static void read(Pipe pipe, ByteBuffer bytes) {
        try {
            assertThat(pipe.source().read(bytes)).isOne();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void atRandomNoTwoPiecesInUseOverlapAndTheLimitHolds(boolean huge) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long limit = 24 * MIB;
        StagingMemory memory = new StagingMemory(limit, huge);
        Deque<Piece> used = new ArrayDeque<>();
        long usedBytes = 0;
        for (int i = 0; i < 20_000; i++) {
            long power = (4 * KIB) << random.nextInt(10);
            long bytes = power + power / 32_768 * 4096 * random.nextInt(8);
            Optional<Piece> taken = random.nextInt(5) < 3 ? memory.take(bytes, used.isEmpty()) : Optional.empty();
            if (taken.isPresent()) {
                MemorySegment segment = taken.get().segment;
                assertThat(segment.byteSize()).isEqualTo(bytes);
                assertThat(segment.get(ValueLayout.JAVA_BYTE, 0))
                        .as("seed %d", seed)
                        .isZero();
                assertThat(segment.get(ValueLayout.JAVA_BYTE, bytes - 1))
                        .as("seed %d", seed)
                        .isZero();
                segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
                segment.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 1);
                used.add(taken.get());
                usedBytes += bytes;
                assertThat(usedBytes).as("seed %d", seed).isLessThanOrEqualTo(limit);
            } else if (!used.isEmpty()) {
                Piece piece = random.nextBoolean() ? used.removeFirst() : used.removeLast();
                piece.segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
                piece.segment.set(ValueLayout.JAVA_BYTE, piece.segment.byteSize() - 1, (byte) 0);
                usedBytes -= piece.segment.byteSize();
                memory.giveBack(piece);
            }
        }
    }
}
