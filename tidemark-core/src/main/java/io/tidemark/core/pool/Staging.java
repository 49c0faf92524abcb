package io.tidemark.core.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for reads from media whose bytes cannot be addressed in place. Bounded; given back when the last read of a value
 * ends, not by time. A reader that is late finds its segment closed.
 */
final class Staging {
    /** The bytes of one value, shared by the reads that asked for it at the same time. */
    final class Staged {
        private final Arena arena = Arena.ofShared();
        private final MemorySegment segment;
        private final AtomicInteger holders = new AtomicInteger(1);

        private Staged(long bytes) {
            try {
                segment = arena.allocate(Math.max(1, bytes)).asSlice(0, bytes);
            } catch (RuntimeException | Error e) {
                arena.close();
                throw e;
            }
        }

        MemorySegment segment() {
            return segment;
        }

        /** One more holder; called by a holder. */
        Staged shared() {
            holders.incrementAndGet();
            return this;
        }

        /** A holder is done. */
        void release() {
            if (holders.decrementAndGet() == 0) {
                held.addAndGet(-segment.byteSize());
                arena.close();
            }
        }
    }

    private final AtomicLong held = new AtomicLong();
    private final long limitBytes;

    Staging(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Memory for a value, with one holder; empty when too much is staged already. */
    Optional<Staged> take(long bytes) {
        if (!Backend.addWithin(held, bytes, limitBytes)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Staged(bytes));
        } catch (OutOfMemoryError e) { // of native memory: as much a want of room as the cap
            held.addAndGet(-bytes);
            return Optional.empty();
        }
    }

    long heldBytes() {
        return held.get();
    }
}
