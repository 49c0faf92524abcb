package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** Checksums of 64 KiB each, as each read makes them, over memory that no cache holds: one thread, GB/s. */
final class Sums implements Side, AutoCloseable {
    private static final long CHUNK_BYTES = 64 << 10;
    private static final long BYTES = 256L << 20;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(BYTES, CHUNK_BYTES).fill((byte) 1);
    private long all;

    @Override
    public String name() {
        return "checksums";
    }

    @Override
    public double measure() {
        long start = System.nanoTime();
        for (long at = 0; at < BYTES; at += CHUNK_BYTES) {
            CRC32C crc = new CRC32C();
            crc.update(memory.asSlice(at, CHUNK_BYTES).asByteBuffer());
            all += crc.getValue();
        }
        return (double) BYTES / (System.nanoTime() - start);
    }

    /** Something that hangs on every sum. */
    long all() {
        return all;
    }

    @Override
    public void close() {
        arena.close();
    }
}
