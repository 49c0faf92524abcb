package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntArenaTest {
    /** A slice of a run that is held, with what it must read. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Slice(int run, int from, int[] expected) {}

    @Test
    void randomRunsAndSlicesKeepTheirBytesAndLeaveNothingBehind() {
        for (long seed = 0; seed < 20; seed++) {
            IntArena arena = new IntArena();
            Random random = new Random(seed);
            List<Slice> held = new ArrayList<>();
            for (int step = 0; step < 3_000; step++) {
                if (held.isEmpty() || random.nextInt(100) < 52) {
                    held.add(allocate(arena, random));
                } else if (random.nextInt(3) == 0) {
                    cut(arena, random, held);
                } else {
                    release(arena, held, random.nextInt(held.size()));
                }
            }
            for (Slice slice : held) {
                assertReads(arena, slice, seed);
            }
            while (!held.isEmpty()) {
                release(arena, held, random.nextInt(held.size()));
            }
            assertThat(arena.usedInts()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void aSliceGivenBackAtTheEndFreesItsSpaceAtOnce() {
        IntArena arena = new IntArena();
        int run = arena.allocate(1_000);
        arena.share(run);
        arena.release(run, 100, 900, 0);
        assertThat(arena.usedInts()).isLessThan(110);
        arena.release(run, 0, 100, 0);
        assertThat(arena.usedInts()).isZero();
    }

    @Test
    void steadyUseOfOneSizeHoldsSteadyMemory() {
        IntArena arena = new IntArena();
        int[] runs = new int[1_000];
        Random random = new Random(1);
        for (int i = 0; i < runs.length; i++) {
            runs[i] = arena.allocate(65);
        }
        long capacity = arena.capacityInts();
        for (int step = 0; step < 100_000; step++) {
            int at = random.nextInt(runs.length);
            arena.release(runs[at], 0, 65, 0);
            runs[at] = arena.allocate(65);
        }
        assertThat(arena.capacityInts()).isEqualTo(capacity);
    }

    @Test
    void longRunsGetRoomAndTooLongOnesARefusal() {
        IntArena arena = new IntArena();
        int[] first = {arena.allocate(IntArena.MAX_LENGTH), arena.allocate(IntArena.MAX_LENGTH)};
        assertThat(arena.get(first[0], IntArena.MAX_LENGTH - 1)).isZero();
        assertThat(arena.get(first[1], IntArena.MAX_LENGTH - 1)).isZero();
        assertThatThrownBy(() -> arena.allocate(IntArena.MAX_LENGTH + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("asked for " + (IntArena.MAX_LENGTH + 1));
    }

    private static Slice allocate(IntArena arena, Random random) {
        int[] content = random.ints(random.nextInt(random.nextInt(20) == 0 ? 5_000 : 100))
                .toArray();
        int run = arena.allocate(content.length);
        arena.copyIn(run, content, 0, content.length);
        return new Slice(run, 0, content);
    }

    /** Cuts a slice in two that share the run. */
    private static void cut(IntArena arena, Random random, List<Slice> held) {
        int index = random.nextInt(held.size());
        Slice whole = held.get(index);
        if (whole.expected().length < 2) {
            return;
        }
        int at = 1 + random.nextInt(whole.expected().length - 1);
        arena.share(whole.run());
        held.set(index, new Slice(whole.run(), whole.from(), Arrays.copyOf(whole.expected(), at)));
        held.add(new Slice(
                whole.run(), whole.from() + at, Arrays.copyOfRange(whole.expected(), at, whole.expected().length)));
    }

    private static void release(IntArena arena, List<Slice> held, int index) {
        Slice slice = held.remove(index);
        assertReads(arena, slice, -1);
        arena.release(slice.run(), slice.from(), slice.expected().length, 0);
    }

    private static void assertReads(IntArena arena, Slice slice, long seed) {
        int[] read = new int[slice.expected().length];
        arena.copyOut(slice.run(), slice.from(), read, 0, read.length);
        assertThat(read).as("seed %d", seed).isEqualTo(slice.expected());
    }
}
