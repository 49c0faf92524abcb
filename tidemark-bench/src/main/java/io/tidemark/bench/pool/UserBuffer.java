package io.tidemark.bench.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A user's memory, larger than the caches, that blocks are copied from and to in turn. */
final class UserBuffer {
    /** Bytes that one measurement moves. */
    static final long MEASURE_BYTES = 256L << 20;

    private static final long BUFFER_BYTES = 64L << 20;

    private final MemorySegment buffer =
            Arena.ofAuto().allocate(BUFFER_BYTES, 4096).fill((byte) 1);
    private final int blockBytes;
    private long next;

    UserBuffer(int blockBytes) {
        this.blockBytes = blockBytes;
    }

    /** The next block's place. */
    MemorySegment next() {
        return buffer.asSlice(next++ % (BUFFER_BYTES / blockBytes) * blockBytes, blockBytes);
    }
}
