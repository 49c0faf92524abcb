package io.tidemark.core.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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
    /** What media with direct I/O read into without a copy. */
    private static final long ALIGN_BYTES = 4096;
    /** Sizes are rounded up to an eighth of the next power of two, so that values of about one size share memory. */
    private static final int SIZES_A_DOUBLING_BITS = 3;

    /** Memory of one size. */
    private static final class Piece {
        private final Arena arena = Arena.ofShared();
        private final MemorySegment segment;

        Piece(long bytes) {
            try {
                segment = arena.allocate(bytes, ALIGN_BYTES);
            } catch (RuntimeException | Error e) {
                arena.close();
                throw e;
            }
        }
    }

    /** Spans of one value, one behind the other, shared by the reads that asked for them at the same time. */
    final class Staged {
        private final List<ByteRange> spans;
        /** Where each span begins in the memory. */
        private final long[] starts;

        private final Piece piece;
        private final AtomicInteger holders = new AtomicInteger(1);

        private Staged(List<ByteRange> spans, Piece piece) {
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
    /** Pieces nobody holds, by size. */
    private final Map<Long, ArrayDeque<Piece>> idle = new HashMap<>();

    private long heldBytes = 0;
    private long idleBytes = 0;

    Staging(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Memory for spans of a value, with one holder; empty when too much is staged already. */
    Optional<Staged> take(List<ByteRange> spans) {
        long bytes = rounded(ByteRange.totalBytes(spans));
        Optional<Piece> reused;
        synchronized (this) {
            if (heldBytes > 0 && heldBytes + bytes > limitBytes) {
                return Optional.empty();
            }
            heldBytes += bytes;
            reused = Optional.ofNullable(idle.get(bytes)).map(ArrayDeque::poll);
            idleBytes -= reused.isPresent() ? bytes : 0;
            dropIdle(limitBytes - heldBytes);
        }
        try {
            return Optional.of(new Staged(spans, reused.orElseGet(() -> new Piece(bytes))));
        } catch (OutOfMemoryError e) { // of native memory: as much a want of room as the cap
            synchronized (this) {
                heldBytes -= bytes;
            }
            return Optional.empty();
        }
    }

    synchronized long heldBytes() {
        return heldBytes;
    }

    private synchronized void giveBack(Piece piece) {
        long bytes = piece.segment.byteSize();
        heldBytes -= bytes;
        idleBytes += bytes;
        idle.computeIfAbsent(bytes, size -> new ArrayDeque<>()).push(piece);
        dropIdle(limitBytes - heldBytes);
    }

    /** Gives the system memory back until what is idle is no more than this. */
    private void dropIdle(long most) {
        Iterator<ArrayDeque<Piece>> sizes = idle.values().iterator();
        while (idleBytes > most && sizes.hasNext()) {
            ArrayDeque<Piece> pieces = sizes.next();
            while (idleBytes > most && !pieces.isEmpty()) {
                if (!tryClose(pieces.element())) {
                    return;
                }
                idleBytes -= pieces.remove().segment.byteSize();
            }
            if (pieces.isEmpty()) {
                sizes.remove();
            }
        }
    }

    /** False: a reader whose pin has ended is in the middle of it; later, then. */
    private static boolean tryClose(Piece piece) {
        try {
            piece.arena.close();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static long rounded(long bytes) {
        long step = Math.max(ALIGN_BYTES, Long.highestOneBit(bytes) >>> SIZES_A_DOUBLING_BITS);
        return Math.ceilDiv(bytes, step) * step;
    }
}
