package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads the fields of a {@code struct statx}; the offsets are part of the kernel's interface on every machine. */
public final class StatxBuffer {
    /** Size of the structure in bytes. */
    public static final long BYTES = 256;

    private static final int TYPE_MASK = 0xF000;
    private static final int REGULAR = 0x8000;
    private static final int DIRECTORY = 0x4000;
    private static final long SECTOR_BYTES = 512;

    private StatxBuffer() {}

    /** A segment to be filled; freed when it is no longer reachable. */
    public static MemorySegment allocate() {
        return Arena.ofAuto().allocate(BYTES, Long.BYTES);
    }

    public static int links(MemorySegment facts) {
        return facts.get(ValueLayout.JAVA_INT, 16);
    }

    public static boolean isRegular(MemorySegment facts) {
        return (mode(facts) & TYPE_MASK) == REGULAR;
    }

    public static boolean isDirectory(MemorySegment facts) {
        return (mode(facts) & TYPE_MASK) == DIRECTORY;
    }

    public static long sizeBytes(MemorySegment facts) {
        return facts.get(ValueLayout.JAVA_LONG, 40);
    }

    /** Bytes that the file occupies on its device. */
    public static long allocatedBytes(MemorySegment facts) {
        return facts.get(ValueLayout.JAVA_LONG, 48) * SECTOR_BYTES;
    }

    /** Last access, seconds since 1970. */
    public static long accessSeconds(MemorySegment facts) {
        return facts.get(ValueLayout.JAVA_LONG, 64);
    }

    /** Last change of the content, seconds since 1970. */
    public static long modifiedSeconds(MemorySegment facts) {
        return facts.get(ValueLayout.JAVA_LONG, 112);
    }

    /** Device that holds the entry. */
    public static long device(MemorySegment facts) {
        return ((long) facts.get(ValueLayout.JAVA_INT, 136) << 32) | facts.get(ValueLayout.JAVA_INT, 140);
    }

    /** Number of the inode on its device. */
    public static long inode(MemorySegment facts) {
        return facts.get(ValueLayout.JAVA_LONG, 32);
    }

    private static int mode(MemorySegment facts) {
        return Short.toUnsignedInt(facts.get(ValueLayout.JAVA_SHORT, 28));
    }

    /** Fills a segment as the kernel would; for twins of the system calls. */
    public static void fill(
            MemorySegment facts,
            boolean directory,
            long sizeBytes,
            long allocatedBytes,
            long accessSeconds,
            long modifiedSeconds) {
        facts.fill((byte) 0);
        facts.set(ValueLayout.JAVA_INT, 16, 1);
        facts.set(ValueLayout.JAVA_SHORT, 28, (short) (directory ? DIRECTORY : REGULAR));
        facts.set(ValueLayout.JAVA_LONG, 40, sizeBytes);
        facts.set(ValueLayout.JAVA_LONG, 48, allocatedBytes / SECTOR_BYTES);
        facts.set(ValueLayout.JAVA_LONG, 64, accessSeconds);
        facts.set(ValueLayout.JAVA_LONG, 112, modifiedSeconds);
    }
}
