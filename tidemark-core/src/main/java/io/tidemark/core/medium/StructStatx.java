package io.tidemark.core.medium;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/** The layout of the kernel's {@code struct statx}. */
final class StructStatx {
    static final int BYTES = 256;
    /** Which fields to fill: type, mode, links, owner, times, inode, size, blocks. */
    static final int BASIC_STATS = 0x7ff;

    private static final int LINKS = 16;
    private static final int OWNER = 20;
    private static final int MODE = 28;
    private static final int INODE = 32;
    private static final int SIZE = 40;
    private static final int BLOCKS = 48;
    private static final int ACCESSED = 64;
    private static final int MODIFIED = 112;
    private static final int DEVICE_MAJOR = 136;
    private static final int DEVICE_MINOR = 140;
    private static final int BLOCK_BYTES = 512;

    private StructStatx() {}

    static Sys.FileFacts facts(MemorySegment answer) {
        long device = ((long) answer.get(JAVA_INT, DEVICE_MAJOR) << 32) | answer.get(JAVA_INT, DEVICE_MINOR);
        return new Sys.FileFacts(
                Short.toUnsignedInt(answer.get(JAVA_SHORT, MODE)),
                answer.get(JAVA_INT, OWNER),
                Integer.toUnsignedLong(answer.get(JAVA_INT, LINKS)),
                answer.get(JAVA_LONG, INODE),
                device,
                answer.get(JAVA_LONG, SIZE),
                answer.get(JAVA_LONG, BLOCKS) * BLOCK_BYTES,
                nanos(answer, ACCESSED),
                nanos(answer, MODIFIED));
    }

    private static long nanos(MemorySegment answer, int at) {
        return answer.get(JAVA_LONG, at) * 1_000_000_000L + answer.get(JAVA_INT, at + 8);
    }
}
