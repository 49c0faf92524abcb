package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records of blocks as the files hold them, one behind the other, off the heap: a million of them at a start are no burden
 * for the collector. They are taken over frame by frame. A record is named by its position; positions rise. Filled by one
 * thread, then only read.
 */
final class RecordLog implements AutoCloseable {
    private static final int CHUNK_BYTES = 4 << 20;

    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Sys sys;
    private final Arena arena = Arena.ofShared();
    private final List<ByteBuffer> chunks = new ArrayList<>();

    RecordLog(Sys sys) {
        this.sys = sys;
    }

    /**
     * Appends what remains of the buffer: the records of a frame, of which each has its place behind this position.
     *
     * @throws SysException when there is no memory
     */
    long append(ByteBuffer frame) throws SysException {
        int bytes = frame.remaining();
        if (chunks.isEmpty() || chunks.getLast().remaining() < bytes) {
            chunks.add(map(Math.max(CHUNK_BYTES, bytes)).order(ByteOrder.LITTLE_ENDIAN));
        }
        ByteBuffer last = chunks.getLast();
        long position = (chunks.size() - 1L) << 32 | last.position();
        last.put(last.position(), frame, frame.position(), bytes);
        last.position(last.position() + bytes);
        return position;
    }

    /** Fresh memory, of which nothing is touched before it is filled. */
    @SuppressWarnings("restricted") // ties the mapping to the arena
    private ByteBuffer map(long bytes) throws SysException {
        MemorySegment mapping =
                sys.mmap(bytes, Sys.PROT_READ | Sys.PROT_WRITE, Sys.MAP_PRIVATE | Sys.MAP_ANONYMOUS, -1, 0);
        return mapping.reinterpret(arena, this::unmap).asByteBuffer();
    }

    private void unmap(MemorySegment mapping) {
        try {
            sys.munmap(mapping);
        } catch (SysException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Gives the memory back; nobody looks at a record any more. */
    @Override
    public void close() {
        chunks.clear();
        arena.close();
    }

    /** A view of one record after the other, for one thread. */
    Row row() {
        return new Row();
    }

    /**
     * One record; {@link #at} moves it. What is looked at lies in an array: the compilers make less of reads there, which
     * counts where the process is young. Who goes through the log in its order, or against it, has the records beside this
     * one copied with it.
     */
    final class Row {
        private static final int WINDOW_BYTES = 64 << 10;
        /** Copied behind a record when going backwards, and with one that is looked at alone. */
        private static final int MARGIN_BYTES = 512;

        private byte[] window = new byte[WINDOW_BYTES];
        /** Position of the window's first byte. */
        private long from = -1;

        private int held;
        /** Where the record begins in the window. */
        private int start;

        private int bytes;
        private long handle;
        private long generation;
        private int lengthBytes;
        private int keyBytes;
        private int runs;
        /** Where the runs begin in the window. */
        private int runsAt;

        private int firstOfFirst;
        private int pagesOfFirst;

        Row at(long position) {
            if (!moveTo(position)) {
                load(position);
            }
            return this;
        }

        /** Appends a frame to the log; until {@link #at} is asked for another one, its records are {@link #within} reach. */
        long append(ByteBuffer frame) throws SysException {
            int bytes = frame.remaining();
            if (window.length < bytes) {
                window = new byte[bytes];
            }
            frame.get(frame.position(), window, 0, bytes);
            from = RecordLog.this.append(frame);
            held = bytes;
            return from;
        }

        /** Moves to the record that begins so many bytes into the frame that was appended last; answers its type. */
        byte within(int frameAt) {
            start = frameAt;
            if (!decode()) {
                throw new IndexOutOfBoundsException("record at " + frameAt + " of a frame of " + held + " bytes");
            }
            return window[frameAt];
        }

        /** False: the record does not lie in the window whole. */
        private boolean moveTo(long position) {
            long into = position - from;
            if (from < 0 || into < 0 || into >= held) {
                return false;
            }
            start = (int) into;
            return decode();
        }

        /**
         * Takes the record apart, in one place: it is asked for its parts again and again, and each look at the window is much
         * for the compilers. False: it does not lie in the window whole, of which as much was taken as does.
         */
        private boolean decode() {
            bytes = RecordType.GONE_BYTES;
            boolean put = window[start] == RecordType.PUT;
            if (held - start < (put ? BlockRecord.KEY_AT : bytes)) {
                return false;
            }
            handle = (long) LONGS.get(window, start + BlockRecord.HANDLE_AT);
            if (!put) {
                return true;
            }
            generation = (long) LONGS.get(window, start + BlockRecord.GENERATION_AT);
            lengthBytes = (int) INTS.get(window, start + BlockRecord.LENGTH_AT);
            keyBytes = (int) INTS.get(window, start + BlockRecord.KEY_BYTES_AT);
            runs = (short) SHORTS.get(window, start + BlockRecord.RUNS_AT) & 0xFFFF;
            runsAt = start + BlockRecord.KEY_AT + keyBytes;
            bytes = BlockRecord.bytes(keyBytes, runs, Checksums.chunks(lengthBytes));
            if (bytes > held - start) {
                return false;
            }
            if (runs > 0) {
                firstOfFirst = (int) INTS.get(window, runsAt);
                pagesOfFirst = (int) INTS.get(window, runsAt + 4);
            }
            return true;
        }

        private void load(long position) {
            ByteBuffer chunk = chunks.get((int) (position >>> 32));
            int offset = (int) position;
            boolean onwards = from >= 0 && position >= from && position - from < held + (long) WINDOW_BYTES;
            boolean back = from >= 0 && position < from && from - position < WINDOW_BYTES;
            int begin = back ? Math.max(0, offset + MARGIN_BYTES - WINDOW_BYTES) : offset;
            copy(chunk, position, begin, onwards ? WINDOW_BYTES : offset - begin + MARGIN_BYTES);
            if (!moveTo(position)) {
                copy(chunk, position, offset, BlockRecord.KEY_AT);
                if (!moveTo(position)) { // but it is known now how long it is
                    copy(chunk, position, offset, bytes);
                    moveTo(position);
                }
            }
        }

        private void copy(ByteBuffer chunk, long position, int begin, int bytes) {
            if (window.length < bytes) {
                window = Arrays.copyOf(window, bytes);
            }
            held = Math.min(bytes, chunk.position() - begin);
            from = position - ((int) position - begin);
            chunk.get(begin, window, 0, held);
        }

        int bytes() {
            return bytes;
        }

        long handle() {
            return handle;
        }

        long generation() {
            return generation;
        }

        int lengthBytes() {
            return lengthBytes;
        }

        int keyBytes() {
            return keyBytes;
        }

        /** What the key lies in, until the next {@link #at}. */
        byte[] window() {
            return window;
        }

        /** Where the key begins in the {@link #window}. */
        int keyAt() {
            return start + BlockRecord.KEY_AT;
        }

        int runs() {
            return runs;
        }

        /** First page of a run. */
        int first(int run) {
            return run == 0 ? firstOfFirst : (int) INTS.get(window, runsAt + run * 8);
        }

        /** Pages of a run. */
        int pages(int run) {
            return run == 0 ? pagesOfFirst : (int) INTS.get(window, runsAt + run * 8 + 4);
        }

        /** Pages of all runs. */
        int pages() {
            int pages = 0;
            for (int run = 0; run < runs; run++) {
                pages += pages(run);
            }
            return pages;
        }

        /** Pairs of first page and number of pages. */
        int[] runPairs() {
            int[] pairs = new int[runs * 2];
            for (int i = 0; i < pairs.length; i++) {
                pairs[i] = (int) INTS.get(window, runsAt + i * 4);
            }
            return pairs;
        }

        int checksum(int ofChunk) {
            return (int) INTS.get(window, runsAt + runs * 8 + ofChunk * 4);
        }

        /** Appends the record to a buffer, as it is. */
        void copyTo(ByteBuffer to) {
            to.put(window, start, bytes);
        }
    }
}
