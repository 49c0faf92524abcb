package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Records of blocks as the files hold them, one behind the other, off the heap: a million of them at a start are no burden
 * for the collector. They are taken over frame by frame. A record is named by its position; positions rise. Filled by one
 * thread, then only read.
 */
final class RecordLog implements AutoCloseable {
    private static final int CHUNK_BYTES = 4 << 20;

    private final Arena arena = Arena.ofShared();
    private final List<ByteBuffer> chunks = new ArrayList<>();

    /** Appends what remains of the buffer: the records of a frame, of which each has its place behind this position. */
    long append(ByteBuffer frame) {
        int bytes = frame.remaining();
        if (chunks.isEmpty() || chunks.getLast().remaining() < bytes) {
            ByteBuffer chunk = arena.allocate(Math.max(CHUNK_BYTES, bytes)).asByteBuffer();
            chunks.add(chunk.order(ByteOrder.LITTLE_ENDIAN));
        }
        ByteBuffer last = chunks.getLast();
        long position = (chunks.size() - 1L) << 32 | last.position();
        last.put(last.position(), frame, frame.position(), bytes);
        last.position(last.position() + bytes);
        return position;
    }

    /** Gives the memory back; nobody looks at a record any more. */
    @Override
    public void close() {
        chunks.clear();
        arena.close();
    }

    /** A view of one record after the other. */
    Row row() {
        return new Row();
    }

    /** One record; {@link #at} moves it. */
    final class Row {
        private ByteBuffer chunk = ByteBuffer.allocate(0);
        private int start;

        Row at(long position) {
            chunk = chunks.get((int) (position >>> 32));
            start = (int) position;
            return this;
        }

        int bytes() {
            return BlockRecord.bytesAt(chunk, start);
        }

        long handle() {
            return chunk.getLong(start + BlockRecord.HANDLE_AT);
        }

        long generation() {
            return chunk.getLong(start + BlockRecord.GENERATION_AT);
        }

        int lengthBytes() {
            return chunk.getInt(start + BlockRecord.LENGTH_AT);
        }

        byte[] key() {
            byte[] key = new byte[chunk.getInt(start + BlockRecord.KEY_BYTES_AT)];
            chunk.get(start + BlockRecord.KEY_AT, key);
            return key;
        }

        int runs() {
            return Short.toUnsignedInt(chunk.getShort(start + BlockRecord.RUNS_AT));
        }

        /** First page of a run. */
        int first(int run) {
            return chunk.getInt(runsAt() + run * 8);
        }

        /** Pages of a run. */
        int pages(int run) {
            return chunk.getInt(runsAt() + run * 8 + 4);
        }

        /** Pages of all runs. */
        int pages() {
            int pages = 0;
            for (int run = 0; run < runs(); run++) {
                pages += pages(run);
            }
            return pages;
        }

        /** Pairs of first page and number of pages. */
        int[] runPairs() {
            int[] pairs = new int[runs() * 2];
            for (int i = 0; i < pairs.length; i++) {
                pairs[i] = chunk.getInt(runsAt() + i * 4);
            }
            return pairs;
        }

        int checksum(int ofChunk) {
            return chunk.getInt(runsAt() + runs() * 8 + ofChunk * 4);
        }

        /** Appends the record to a buffer, as it is. */
        void copyTo(ByteBuffer to) {
            int bytes = bytes();
            to.put(to.position(), chunk, start, bytes);
            to.position(to.position() + bytes);
        }

        private int runsAt() {
            return start + BlockRecord.KEY_AT + chunk.getInt(start + BlockRecord.KEY_BYTES_AT);
        }
    }
}
