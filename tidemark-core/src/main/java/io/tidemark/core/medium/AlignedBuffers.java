package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A few aligned buffers for bytes that cannot go to or from the device where they are. Made when first needed; bounded,
 * also in waiting.
 */
final class AlignedBuffers {
    static final int BUFFER_BYTES = 256 << 10;

    private static final long WAIT_MILLIS = 5000;

    private final ConcurrentLinkedQueue<MemorySegment> idle = new ConcurrentLinkedQueue<>();
    private final Semaphore permits;
    final int count;

    AlignedBuffers(int count) {
        this.count = count;
        permits = new Semaphore(count);
    }

    /** Buffers that are in use now. */
    int inUse() {
        return count - permits.availablePermits();
    }

    MemorySegment take() throws IOException {
        try {
            if (!permits.tryAcquire(WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new UnavailableException("all I/O buffers have been in use for " + WAIT_MILLIS + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an I/O buffer", e);
        }
        MemorySegment buffer = idle.poll();
        return buffer != null ? buffer : Arena.ofAuto().allocate(BUFFER_BYTES, Slab.ALIGN);
    }

    void give(MemorySegment buffer) {
        idle.add(buffer);
        permits.release();
    }
}
