package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;

/**
 * A file of a fixed size that holds frames of records, written once from front to back for each epoch: a journal or a
 * checkpoint. All numbers are little-endian.
 *
 * <pre>
 *  0     header: magic 8 | version 4 | kind 1 | 0 1 | binary logarithm of the page size 2 | epoch 8 | generation floor 4
 *                | CRC-32C of these 28 bytes 4 | bytes of the file 8 | frames of the epoch before 4 | salt 8
 *                | CRC-32C of all before but the first sum 4
 *  4096  frames: magic 4 | epoch 4 (low bits) | number 4 | payload bytes 4
 *                | CRC-32C of the salt, the 12 bytes before and the payload 4 | low half of the salt 4
 *                | payload | padding to 64 bytes
 * </pre>
 *
 * <p>Version 4 has no salt: nothing of it in header and sums, 0 in the frames. Its files are read and never appended to: the first
 * write after a start begins an epoch, which writes another file anew.
 *
 * <p>Frames of an earlier epoch that stand behind the last frame are told by their epoch. Written through the page
 * cache: a kill of the process loses nothing that was written.
 */
final class FrameFile implements AutoCloseable {
    static final int VERSION = 5;
    /** Older than this one, and read as well. */
    static final int VERSION_WITHOUT_SALT = 4;

    static final int FRAMES_AT = 4096;
    static final int FRAME_HEADER_BYTES = 24;
    static final int FRAME_ALIGN = 64;
    /** In the place of a number of frames. */
    static final int NOT_KNOWN = -1;

    private static final long MAGIC = 0x4b52_414d_4544_4954L; // "TIDEMARK"
    private static final int FRAME_MAGIC = 0x6d72_4674; // "tFrm"
    private static final int SALT_AT = 44;
    private static final int HEADER_BYTES = SALT_AT + Long.BYTES + Integer.BYTES;
    private static final int HEADER_BYTES_WITHOUT_SALT = HEADER_BYTES - Long.BYTES;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Sys sys;
    private final int fd;
    private final String name;
    private final Kind kind;
    private final long bytes;
    private final int pageBytes;
    private final LongSupplier salts;
    /** Bytes that the file has now: more than {@code bytes} where an earlier process had more room. */
    private long length;

    /** Of the frames that are in the file, by its header. */
    private FrameSeal seal = FrameSeal.WITHOUT_SALT;

    private long epoch;
    private int number;
    private long tail;

    /** What a file holds. */
    enum Kind {
        JOURNAL(1),
        CHECKPOINT(2);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }

    /**
     * What the header says; epoch 0: the file holds nothing that can be used.
     *
     * @param framesBefore how many frames the file of the epoch before had when this one began; {@value #NOT_KNOWN}: that is
     *     not known
     * @param cutShort the file is shorter than it was made: frames may be missing behind the last one. No kill does that
     */
    record Header(long epoch, int generationFloor, int framesBefore, boolean cutShort) {
        static final Header NONE = new Header(0, 1, NOT_KNOWN, false);
    }

    /** Hears the frames of a file in their order. */
    interface FrameReader {
        /**
         * The payload is valid during the call. {@code afterGap}: frames right before this one are damaged. False ends
         * the reading.
         */
        boolean frame(ByteBuffer payload, boolean afterGap) throws IOException;
    }

    /** Opens the file as it is; {@code flags} say whether it is made when missing. */
    FrameFile(Sys sys, String path, int flags, Kind kind, long bytes, int pageBytes) throws IOException {
        this(sys, path, flags, kind, bytes, pageBytes, FrameSeal::newSalt);
    }

    /** As above; salts come from there, one for each epoch. */
    FrameFile(Sys sys, String path, int flags, Kind kind, long bytes, int pageBytes, LongSupplier salts)
            throws IOException {
        this.sys = sys;
        this.salts = salts;
        this.kind = kind;
        this.bytes = bytes;
        this.pageBytes = pageBytes;
        name = path;
        fd = sys.openat(Sys.AT_FDCWD, path, flags, 0600);
        boolean known = false;
        try {
            length = sys.statx(Sys.AT_FDCWD, path, 0).lengthBytes();
            known = true;
        } finally {
            if (!known) {
                sys.close(fd);
            }
        }
    }

    /** What the next start will look for. */
    NameWatch.NamedFile named() {
        return new NameWatch.NamedFile(fd, name);
    }

    /** What the file is reached through. */
    Sys sys() {
        return sys;
    }

    /** Gives a file that is too short its size. */
    void grow() throws IOException {
        if (length < bytes) {
            SysFiles.allocate(sys, fd, bytes);
            length = bytes;
        }
    }

    boolean isTooLong() {
        return length > bytes;
    }

    /** Gives a file that is too long its size; what it held is void. */
    void shrink() throws IOException {
        if (isTooLong()) {
            sys.ftruncate(fd, bytes);
            length = bytes;
        }
    }

    /** Bytes that a frame of this payload takes. */
    static long frameBytes(long payloadBytes) {
        return Math.ceilDiv(FRAME_HEADER_BYTES + payloadBytes, FRAME_ALIGN) * FRAME_ALIGN;
    }

    /** Whether a frame of this payload still fits. */
    boolean hasRoomFor(long payloadBytes) {
        return tail + frameBytes(payloadBytes) <= bytes;
    }

    /** Whether more than half of the file is written. */
    boolean isHalfFull() {
        return tail > bytes / 2;
    }

    /** Bytes that are written so far. */
    long writtenBytes() {
        return tail;
    }

    /** So many frames of an earlier process are in the file. */
    void holds(int frames) {
        number = frames;
    }

    /** Frames that are in the file. */
    int frames() {
        return number;
    }

    /** Largest payload that an empty file takes. */
    long payloadBytesMax() {
        return bytes - FRAMES_AT - FRAME_HEADER_BYTES;
    }

    /**
     * Reads the header, and has the frames read as it says.
     *
     * @throws IOException when the file is of a version that is not known here, speaks of pages of another size, or cannot
     *     be read
     */
    Header readHeader() throws IOException {
        if (length < HEADER_BYTES_WITHOUT_SALT) {
            return Header.NONE;
        }
        ByteBuffer header = buffer(HEADER_BYTES);
        SysFiles.readUpTo(sys, fd, MemorySegment.ofBuffer(header), 0);
        if (header.getLong(0) != MAGIC || header.getInt(28) != crc(header.slice(0, 28))) {
            return Header.NONE;
        }
        int version = header.getInt(8);
        if (version != VERSION && version != VERSION_WITHOUT_SALT) {
            throw new IOException(name + " has format version " + version + ", this build knows " + VERSION_WITHOUT_SALT
                    + " and " + VERSION + ": start the version that wrote it, or discard its blocks with --fresh");
        }
        if (header.get(12) != kind.code) {
            return Header.NONE;
        }
        int pagesOf = 1 << header.getShort(14);
        if (pagesOf != pageBytes) {
            throw new IOException(name + " speaks of pages of " + pagesOf + " bytes; expected " + pageBytes
                    + ": start with the page size that it was written with, or discard its blocks with --fresh");
        }
        boolean salted = version == VERSION;
        int sumAt = (salted ? HEADER_BYTES : HEADER_BYTES_WITHOUT_SALT) - Integer.BYTES;
        if (header.getInt(sumAt) != headerCrc(header, sumAt)) {
            return Header.NONE;
        }
        seal = salted ? FrameSeal.of(header.getLong(SALT_AT)) : FrameSeal.WITHOUT_SALT;
        return new Header(header.getLong(16), header.getInt(24), header.getInt(40), length < header.getLong(32));
    }

    /** Starts the file anew for an epoch: what it held is void from here on. */
    void begin(long newEpoch, int generationFloor) throws IOException {
        begin(newEpoch, generationFloor, NOT_KNOWN);
    }

    /** As above, saying how many frames the file of the epoch before has: what is missing at its end shows then. */
    void begin(long newEpoch, int generationFloor, int framesBefore) throws IOException {
        shrink();
        long salt = salts.getAsLong();
        ByteBuffer header = buffer(HEADER_BYTES);
        header.putLong(MAGIC)
                .putInt(VERSION)
                .put(kind.code)
                .put((byte) 0)
                .putShort((short) Integer.numberOfTrailingZeros(pageBytes))
                .putLong(newEpoch)
                .putInt(generationFloor);
        header.putInt(crc(header.slice(0, 28)))
                .putLong(length)
                .putInt(framesBefore)
                .putLong(salt);
        header.putInt(headerCrc(header, header.position()));
        SysFiles.writeFully(sys, fd, MemorySegment.ofBuffer(header.flip()), 0);
        seal = FrameSeal.of(salt);
        epoch = newEpoch;
        number = 0;
        tail = FRAMES_AT;
    }

    /**
     * Appends one frame. When this fails the file stands as before, and the frame can be tried again.
     *
     * @param frame payload from {@value #FRAME_HEADER_BYTES} to its limit; the header is filled in here
     */
    void append(ByteBuffer frame) throws IOException {
        int payload = frame.limit() - FRAME_HEADER_BYTES;
        if (!hasRoomFor(payload)) {
            throw new IOException(name + " is full: " + payload + " bytes more at " + tail + " of " + bytes);
        }
        frame.putInt(0, FRAME_MAGIC).putInt(4, (int) epoch).putInt(8, number).putInt(12, payload);
        frame.putInt(16, seal.sum(frame)).putInt(20, seal.mark());
        SysFiles.writeFully(sys, fd, MemorySegment.ofBuffer(frame.slice(0, frame.limit())), tail);
        number++;
        tail += frameBytes(payload);
    }

    /** Makes what was appended survive a power cut, as far as the device does. */
    void sync() throws IOException {
        sys.fdatasync(fd);
    }

    /** Reads every good frame of an epoch in order, also behind damaged ones; answers how many there were by their numbers. */
    int readFrames(long ofEpoch, FrameReader reader) throws IOException {
        long at = FRAMES_AT;
        boolean gap = false;
        int expected = 0;
        try (Window window = new Window()) {
            while (at + FRAME_HEADER_BYTES <= length) {
                long payload = frameLength(window, ofEpoch, at);
                if (payload < 0) {
                    gap = true;
                    at += FRAME_ALIGN;
                    continue;
                }
                ByteBuffer frame = window.show(at, FRAME_HEADER_BYTES + payload);
                if (frame.getInt(16) != seal.sum(frame)) {
                    gap = true;
                    at += FRAME_ALIGN;
                    continue;
                }
                int number = frame.getInt(8);
                if (!reader.frame(frame.position(FRAME_HEADER_BYTES), gap || number != expected)) {
                    return number + 1;
                }
                gap = false;
                expected = number + 1;
                at += frameBytes(payload);
            }
        }
        return expected;
    }

    /** A part of the file in memory, which moves on; its memory is used again and given back at the end. */
    private final class Window implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private MemorySegment memory = arena.allocate(WINDOW_BYTES);
        private long from;
        private long held;

        /** So many bytes of the file from a place on; they are in the file, and valid until the next call. */
        ByteBuffer show(long at, long wanted) throws IOException {
            hold(at, wanted);
            return memory.asSlice(at - from, wanted).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        }

        /** Sees to it that so many bytes from a place on are in memory. */
        void hold(long at, long wanted) throws IOException {
            if (at >= from && at + wanted <= from + held) {
                return;
            }
            if (wanted > memory.byteSize()) {
                memory = arena.allocate(Math.max(wanted, 2 * memory.byteSize())); // all of them: twice the largest
            }
            held = 0;
            long bytes = Math.clamp(length - at, 0, memory.byteSize());
            SysFiles.readUpTo(sys, fd, memory.asSlice(0, bytes), at);
            from = at;
            held = bytes;
        }

        int intAt(long at) {
            return memory.get(INT, at - from);
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    @Override
    public void close() throws IOException {
        sys.close(fd);
    }

    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Payload bytes of the frame that seems to start here, or -1. */
    private long frameLength(Window window, long ofEpoch, long at) throws IOException {
        window.hold(at, FRAME_HEADER_BYTES);
        if (window.intAt(at) != FRAME_MAGIC
                || window.intAt(at + 4) != (int) ofEpoch
                || window.intAt(at + 20) != seal.mark()) {
            return -1;
        }
        int payload = window.intAt(at + 12);
        return payload >= 0 && at + FRAME_HEADER_BYTES + payload <= length ? payload : -1;
    }

    /** Without the first sum: one over bytes that are followed by their own sum is the same whatever they are. */
    private static int headerCrc(ByteBuffer header, int sumAt) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, 28));
        crc.update(header.slice(32, sumAt - 32));
        return (int) crc.getValue();
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
