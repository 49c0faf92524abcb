package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads the fields of a {@code struct statvfs} of 64-bit Linux. */
public final class StatvfsBuffer {
    /** Size of the structure in bytes. */
    public static final long BYTES = 112;

    private StatvfsBuffer() {}

    /** A segment to be filled; freed when it is no longer reachable. */
    public static MemorySegment allocate() {
        return Arena.ofAuto().allocate(BYTES, Long.BYTES);
    }

    public static long totalBytes(MemorySegment facts) {
        return field(facts, 2) * unitBytes(facts);
    }

    /** Free bytes, those included that only root may use. */
    public static long freeBytes(MemorySegment facts) {
        return field(facts, 3) * unitBytes(facts);
    }

    /** Free bytes that a writer without privileges may use. */
    public static long availableBytes(MemorySegment facts) {
        return field(facts, 4) * unitBytes(facts);
    }

    /** Inodes in all; 0 where the file system makes them as needed. */
    public static long totalInodes(MemorySegment facts) {
        return field(facts, 5);
    }

    /** Inodes that a writer without privileges may use. */
    public static long availableInodes(MemorySegment facts) {
        return field(facts, 7);
    }

    private static long unitBytes(MemorySegment facts) {
        return field(facts, 1);
    }

    private static long field(MemorySegment facts, int index) {
        return facts.get(ValueLayout.JAVA_LONG, (long) index * Long.BYTES);
    }

    /** Fills a segment as the kernel would; for twins of the system calls. */
    public static void fill(
            MemorySegment facts,
            long totalBytes,
            long freeBytes,
            long availableBytes,
            long totalInodes,
            long availableInodes) {
        long[] fields = {4096, 1, totalBytes, freeBytes, availableBytes, totalInodes, availableInodes, availableInodes};
        for (int i = 0; i < fields.length; i++) {
            facts.set(ValueLayout.JAVA_LONG, (long) i * Long.BYTES, fields[i]);
        }
    }
}
