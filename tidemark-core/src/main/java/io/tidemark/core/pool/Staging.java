package io.tidemark.core.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for reads from media whose bytes cannot be addressed in place. Bounded; given back when the last read of a value
 * ends, not by time. A reader that is late finds its segment closed.
 */
final class Staging {
    /** What media with direct I/O read into without a copy. */
    private static final long ALIGN_BYTES = 4096;

    /** Spans of one value, one behind the other, shared by the reads that asked for them at the same time. */
    final class Staged {
        private final List<ByteRange> spans;
        /** Where each span begins in the memory. */
        private final long[] starts;

        private final Arena arena = Arena.ofShared();
        private final MemorySegment segment;
        private final AtomicInteger holders = new AtomicInteger(1);

        private Staged(List<ByteRange> spans) {
            this.spans = spans;
            starts = new long[spans.size()];
            long bytes = 0;
            for (int i = 0; i < starts.length; i++) {
                starts[i] = bytes;
                bytes += spans.get(i).length();
            }
            try {
                segment = arena.allocate(bytes, ALIGN_BYTES);
            } catch (RuntimeException | Error e) {
                arena.close();
                throw e;
            }
        }

        /** The memory of a range of the value; the range lies within one of the spans. */
        MemorySegment slice(ByteRange range) {
            int span = range.spanIn(spans);
            return segment.asSlice(
                    starts[span] + range.offset() - spans.get(span).offset(), range.length());
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

    /** Memory for spans of a value, with one holder; empty when too much is staged already. */
    Optional<Staged> take(List<ByteRange> spans) {
        long bytes = ByteRange.totalBytes(spans);
        if (!Backend.addWithin(held, bytes, limitBytes)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Staged(spans));
        } catch (OutOfMemoryError e) { // of native memory: as much a want of room as the cap
            held.addAndGet(-bytes);
            return Optional.empty();
        }
    }

    long heldBytes() {
        return held.get();
    }
}
