package io.tidemark.core.pool;

import io.tidemark.core.medium.StagingMemory;
import io.tidemark.core.medium.Sys;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for reads from media whose bytes cannot be addressed in place. Bounded; given back when the last read of a value
 * ends, not by time, and then used again: fresh memory would have to be touched first. A reader that goes on after its pin
 * has ended may see bytes of another value, as with memory that is mapped.
 *
 * <p>Thread-safe, without a lock of its own.
 */
final class Staging {
    /** Spans of one value, one behind the other, shared by the reads that asked for them at the same time. */
    final class Staged {
        private final List<ByteRange> spans;
        /** Where each span begins in the memory. */
        private final long[] starts;

        private final StagingMemory.Piece piece;
        /** As counted in {@link #heldBytes}. */
        private final long bytes;

        private final AtomicInteger holders = new AtomicInteger(1);

        private Staged(List<ByteRange> spans, StagingMemory.Piece piece, long bytes) {
            this.spans = spans;
            this.piece = piece;
            this.bytes = bytes;
            starts = new long[spans.size()];
            long at = 0;
            for (int i = 0; i < starts.length; i++) {
                starts[i] = at;
                at += spans.get(i).length();
            }
        }

        /** The memory of a range of the value, in order; the range lies within one of the spans. */
        List<MemorySegment> slice(ByteRange range) {
            int span = range.spanIn(spans);
            long at = starts[span] + range.offset() - spans.get(span).offset();
            return new ByteRange(at, range.length()).slice(piece.segments());
        }

        /** One more holder; called by a holder. */
        Staged shared() {
            holders.incrementAndGet();
            return this;
        }

        /** A holder is done. */
        void release() {
            if (holders.decrementAndGet() == 0) {
                giveBack(piece, bytes);
            }
        }
    }

    private final long limitBytes;
    private final StagingMemory memory;
    private final AtomicLong heldBytes = new AtomicLong();

    /**
     * @param limitBytes what may be held at once, by more than one
     * @param huge whether huge pages are asked for
     */
    Staging(Sys sys, long limitBytes, boolean huge) {
        this.limitBytes = limitBytes;
        memory = new StagingMemory(sys, limitBytes, huge);
    }

    /** Memory for spans of a value, with one holder; empty when too much is staged already. */
    Optional<Staged> take(List<ByteRange> spans) {
        long bytes = rounded(ByteRange.totalBytes(spans));
        if (!hold(bytes)) {
            return Optional.empty();
        }
        Optional<Staged> taken = Optional.empty();
        try {
            taken = memory.take(bytes).map(piece -> new Staged(spans, piece, bytes));
        } finally {
            if (taken.isEmpty()) {
                heldBytes.addAndGet(-bytes);
            }
        }
        return taken;
    }

    private boolean hold(long bytes) {
        long before;
        do {
            before = heldBytes.get();
            if (before > 0 && before + bytes > limitBytes) {
                return false;
            }
        } while (!heldBytes.compareAndSet(before, before + bytes));
        return true;
    }

    long heldBytes() {
        return heldBytes.get();
    }

    private void giveBack(StagingMemory.Piece piece, long bytes) {
        memory.giveBack(piece);
        heldBytes.addAndGet(-bytes);
    }

    private static long rounded(long bytes) {
        return Math.max(1, Math.ceilDiv(bytes, StagingMemory.PAGE_BYTES)) * StagingMemory.PAGE_BYTES;
    }
}
