package io.tidemark.core.pool;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory for reads from media whose bytes cannot be addressed in place. Bounded; given back when the last read of a value
 * ends, not by time, and then used again: fresh memory would have to be touched first. A reader that goes on after its pin
 * has ended may see bytes of another value, as with memory that is mapped.
 *
 * <p>Thread-safe; its monitor is a leaf of the lock order.
 */
final class Staging {
    /** Smallest step of sizes. */
    private static final long STEP_BYTES_MIN = 4096;
    /** Sizes are rounded up to an eighth of the next power of two, so that values of about one size share memory. */
    private static final int SIZES_A_DOUBLING_BITS = 3;

    /** Spans of one value, one behind the other, shared by the reads that asked for them at the same time. */
    final class Staged {
        private final List<ByteRange> spans;
        /** Where each span begins in the memory. */
        private final long[] starts;

        private final StagingMemory.Piece piece;
        private final AtomicInteger holders = new AtomicInteger(1);

        private Staged(List<ByteRange> spans, StagingMemory.Piece piece) {
            this.spans = spans;
            this.piece = piece;
            starts = new long[spans.size()];
            long at = 0;
            for (int i = 0; i < starts.length; i++) {
                starts[i] = at;
                at += spans.get(i).length();
            }
        }

        /** The memory of a range of the value; the range lies within one of the spans. */
        MemorySegment slice(ByteRange range) {
            int span = range.spanIn(spans);
            return piece.segment.asSlice(
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
                giveBack(piece);
            }
        }
    }

    private final long limitBytes;
    private final StagingMemory memory;
    private long heldBytes = 0;

    /** @param huge whether huge pages are asked for */
    Staging(long limitBytes, boolean huge) {
        this.limitBytes = limitBytes;
        memory = new StagingMemory(limitBytes, huge);
    }

    /** Memory for spans of a value, with one holder; empty when too much is staged already. */
    Optional<Staged> take(List<ByteRange> spans) {
        return piece(rounded(ByteRange.totalBytes(spans))).map(piece -> new Staged(spans, piece));
    }

    private synchronized Optional<StagingMemory.Piece> piece(long bytes) {
        if (heldBytes > 0 && heldBytes + bytes > limitBytes) {
            return Optional.empty();
        }
        Optional<StagingMemory.Piece> taken = memory.take(bytes, heldBytes == 0);
        heldBytes += taken.isPresent() ? bytes : 0;
        return taken;
    }

    synchronized long heldBytes() {
        return heldBytes;
    }

    private synchronized void giveBack(StagingMemory.Piece piece) {
        heldBytes -= piece.segment.byteSize();
        memory.giveBack(piece);
    }

    private static long rounded(long bytes) {
        long step = Math.max(STEP_BYTES_MIN, Long.highestOneBit(bytes) >>> SIZES_A_DOUBLING_BITS);
        return Math.ceilDiv(bytes, step) * step;
    }
}
