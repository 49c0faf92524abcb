package io.tidemark.core.medium;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** The layout of the C library's {@code struct statvfs} on 64 bits. */
final class StructStatvfs {
    static final int BYTES = 112;

    private static final int FRAGMENT_BYTES = 8;
    private static final int BLOCKS = 16;
    private static final int BLOCKS_FREE = 24;
    private static final int BLOCKS_AVAILABLE = 32;
    private static final int FILES = 40;
    private static final int FILES_FREE = 48;
    private static final int FLAGS = 72;
    private static final long READ_ONLY = 1;

    private StructStatvfs() {}

    static Sys.VolumeFacts facts(MemorySegment answer) {
        long unit = answer.get(JAVA_LONG, FRAGMENT_BYTES);
        return new Sys.VolumeFacts(
                answer.get(JAVA_LONG, BLOCKS) * unit,
                answer.get(JAVA_LONG, BLOCKS_FREE) * unit,
                answer.get(JAVA_LONG, BLOCKS_AVAILABLE) * unit,
                answer.get(JAVA_LONG, FILES),
                answer.get(JAVA_LONG, FILES_FREE),
                (answer.get(JAVA_LONG, FLAGS) & READ_ONLY) != 0);
    }
}
