package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A few aligned buffers for bytes that cannot go to or from the device where they are. Bounded, also in waiting. */
final class AlignedBuffers {
    static final int BUFFER_BYTES = 256 << 10;

    private static final long WAIT_MILLIS = 5000;

    private final BlockingQueue<MemorySegment> free;

    AlignedBuffers(int count) {
        free = new ArrayBlockingQueue<>(count);
        for (int i = 0; i < count; i++) {
            free.add(Arena.ofAuto().allocate(BUFFER_BYTES, Slab.ALIGN));
        }
    }

    MemorySegment take() throws IOException {
        try {
            MemorySegment buffer = free.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            if (buffer == null) {
                throw new IOException("all I/O buffers have been in use for " + WAIT_MILLIS + " ms");
            }
            return buffer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an I/O buffer", e);
        }
    }

    void give(MemorySegment buffer) {
        free.add(buffer);
    }
}
