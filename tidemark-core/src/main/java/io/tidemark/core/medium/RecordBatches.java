package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * Records of a journal that are not on disk yet, in batches of which each goes there in one frame. Guarded by the journal's
 * lock, but for the bytes of the batch that is being written: it takes no records then.
 */
final class RecordBatches {
    private static final int BATCH_BYTES_MAX = 64 << 10;
    /** One takes records, one is being written, one more has filled meanwhile. */
    private static final int SPARE_MAX = 3;

    private final int batchBytes;
    private final Supplier<Arena> memory;

    /** Oldest first; the last one takes new records unless it is being written. */
    private final ArrayDeque<Batch> waiting = new ArrayDeque<>();

    /** Written batches of the usual size, to be used again. */
    private final ArrayDeque<Batch> spare = new ArrayDeque<>(SPARE_MAX);

    /** For frames of so many bytes at most. */
    RecordBatches(long payloadBytesMax, Supplier<Arena> memory) {
        batchBytes = (int) Math.min(BATCH_BYTES_MAX, payloadBytesMax / 2);
        this.memory = memory;
    }

    /** Records that go to disk in one frame, behind room for its header. Its memory is of its own, and used again. */
    static final class Batch {
        private final Arena arena;
        private final ByteBuffer frame;
        private long lastTicket;
        private boolean closed;

        private Batch(Arena arena, int bytes) {
            this.arena = arena;
            frame = arena.allocate(bytes).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
            clear();
        }

        private void clear() {
            frame.clear().position(FrameFile.FRAME_HEADER_BYTES);
            closed = false;
        }

        /** The frame, to be written: from room for its header to the end of its records. */
        ByteBuffer frame() {
            return frame.duplicate().order(frame.order()).flip();
        }

        /** Ticket of the last record in it. */
        long lastTicket() {
            return lastTicket;
        }
    }

    /**
     * Where a record of so many bytes is to be put, which has this ticket. Where memory is short it throws, and nothing
     * changes.
     */
    ByteBuffer roomFor(int bytes, long ticket) {
        Batch last = waiting.peekLast();
        if (last == null || last.closed || last.frame.remaining() < bytes) {
            Batch kept = bytes > batchBytes - FrameFile.FRAME_HEADER_BYTES ? null : spare.poll();
            last = kept != null
                    ? kept
                    : new Batch(memory.get(), Math.max(batchBytes, FrameFile.FRAME_HEADER_BYTES + bytes));
            waiting.add(last);
        }
        last.lastTicket = ticket;
        return last.frame;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The oldest batch, to be written: it takes no more records. It stays first in line until it is {@link #written}. */
    Batch closeFirst() {
        Batch first = waiting.element();
        first.closed = true;
        return first;
    }

    /** A batch is on disk: it takes records again, or gives its memory back. */
    void written(Batch batch) {
        if (!waiting.remove(batch)) {
            return; // freed meanwhile
        }
        if (spare.size() < SPARE_MAX && batch.frame.capacity() == batchBytes) {
            batch.clear();
            spare.add(batch);
        } else {
            batch.arena.close();
        }
    }

    /** Drops what waits, and gives all memory back. */
    void free() {
        waiting.forEach(batch -> batch.arena.close());
        spare.forEach(batch -> batch.arena.close());
        waiting.clear();
        spare.clear();
    }
}
