package io.tidemark.core.pool;

import io.tidemark.core.medium.Medium;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for reads from media whose bytes cannot be addressed in place. Bounded; given back when the read ends, not by
 * time. A reader that is late finds its segment closed.
 */
final class Staging {
    /** The bytes of one value, held for one read. */
    final class Staged implements AutoCloseable {
        private final Arena arena = Arena.ofShared();
        private final MemorySegment segment;

        private Staged(long bytes) {
            segment = arena.allocate(Math.max(1, bytes)).asSlice(0, bytes);
        }

        MemorySegment segment() {
            return segment;
        }

        @Override
        public void close() {
            held.addAndGet(-segment.byteSize());
            arena.close();
        }
    }

    private final AtomicLong held = new AtomicLong();
    private final long limitBytes;

    Staging(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Reads a pinned copy into memory; empty when too much is staged already. */
    Optional<Staged> read(Medium medium, long copy, long bytes) throws IOException {
        if (!Backend.addWithin(held, bytes, limitBytes)) {
            return Optional.empty();
        }
        Staged staged = new Staged(bytes);
        boolean done = false;
        try {
            medium.read(copy, 0, staged.segment());
            done = true;
            return Optional.of(staged);
        } finally {
            if (!done) {
                staged.close();
            }
        }
    }

    long heldBytes() {
        return held.get();
    }
}
