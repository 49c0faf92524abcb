package io.tidemark.core.volume;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Names of the buckets of one rank directory as one listing saw them, by digit. The bytes lie outside the heap, each
 * name ended by a zero byte, so that they go to the kernel as they are.
 */
final class BucketList {
    /** For a rank directory whose files lie in it. */
    static final BucketList NONE = new Builder().build();

    static final int DIGITS = 16;

    static final Set<Integer> ALL_DIGITS = IntStream.range(0, DIGITS).boxed().collect(Collectors.toUnmodifiableSet());

    private final MemorySegment names;
    private final int[][] offsets;

    private BucketList(MemorySegment names, int[][] offsets) {
        this.names = names;
        this.offsets = offsets;
    }

    int count(int digit) {
        return offsets[digit].length;
    }

    /** Where the name of a bucket starts in {@link #names}. */
    long offset(int digit, int index) {
        return offsets[digit][index];
    }

    MemorySegment names() {
        return names;
    }

    /** Collects names; not for more than one thread. */
    static final class Builder {
        private byte[] bytes = new byte[256];
        private int used;
        private final int[][] offsets = new int[DIGITS][0];
        private final int[] counts = new int[DIGITS];

        void add(int digit, Name name) {
            int end = used + name.length() + 1;
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, end * 2);
            }
            name.copyTo(bytes, used);
            if (counts[digit] == offsets[digit].length) {
                offsets[digit] = Arrays.copyOf(offsets[digit], Math.max(16, counts[digit] * 2));
            }
            offsets[digit][counts[digit]++] = used;
            used = end;
        }

        BucketList build() {
            MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, used));
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, used);
            int[][] trimmed = new int[DIGITS][];
            for (int digit = 0; digit < DIGITS; digit++) {
                trimmed[digit] = Arrays.copyOf(offsets[digit], counts[digit]);
            }
            return new BucketList(segment, trimmed);
        }
    }
}
