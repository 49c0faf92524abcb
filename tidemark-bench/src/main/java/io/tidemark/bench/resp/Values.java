package io.tidemark.bench.resp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;

/** Random bytes larger than the caches, and the keys and slices of them that a benchmark stores. */
final class Values {
    private static final int SOURCE_BYTES = 64 << 20;
    private static final int KEY_DIGITS = 12;

    private final MemorySegment source = Arena.ofAuto().allocate(SOURCE_BYTES, 4096);

    Values() {
        SplittableRandom random = new SplittableRandom(1);
        for (long i = 0; i < SOURCE_BYTES; i += 8) {
            source.set(ValueLayout.JAVA_LONG, i, random.nextLong());
        }
    }

    /** The key with this number; all keys are equally long. */
    static byte[] key(long number) {
        String digits = String.format(Locale.ROOT, "%0" + KEY_DIGITS + "d", number);
        return ("bench:" + digits).getBytes(StandardCharsets.US_ASCII);
    }

    /** The value of the key with this number. */
    MemorySegment value(long number, int bytes) {
        return source.asSlice(number % (SOURCE_BYTES / bytes) * bytes, bytes);
    }
}
