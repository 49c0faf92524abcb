package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Moves the bytes of blocks to and from the slab: in place where offset, size and address are aligned, through a buffer
 * for the rest. What is read is verified, chunk by chunk, before the caller sees it.
 */
final class BlockIo {
    private static final int BUFFERS = 16;

    private final Slab slab;
    final AlignedBuffers buffers = new AlignedBuffers(BUFFERS);

    BlockIo(Slab slab) {
        this.slab = slab;
    }

    /** The checksum that a chunk must have. */
    interface ExpectedSum {
        int of(int chunk);
    }

    /**
     * Writes a range of a block. Pages that the range covers in part keep the rest of what they hold, except for what is
     * behind the end of the block.
     */
    void write(Extents extents, long blockBytes, long offset, MemorySegment source) throws IOException {
        long direct = isAligned(offset, source) ? Slab.alignDown(source.byteSize()) : 0;
        if (direct > 0) {
            extents.forRange(offset, direct, (at, into, bytes) -> slab.write(at, source.asSlice(into, bytes)));
        }
        if (direct < source.byteSize()) {
            writeBuffered(extents, blockBytes, offset + direct, source.asSlice(direct));
        }
    }

    /** One of several whole blocks. */
    record Whole(Extents extents, List<MemorySegment> segments) {}

    /**
     * Writes whole blocks; what lies side by side in the slab goes in one call. Blocks that do not fill their last page
     * have zeros behind their end.
     */
    void writeTogether(List<Whole> blocks) throws IOException {
        assert blocks.size() <= Medium.TOGETHER_MAX : "a page of one buffer each";
        MemorySegment tails = buffers.take();
        try {
            GatheredWrite write = new GatheredWrite(slab);
            for (int i = 0; i < blocks.size(); i++) {
                add(blocks.get(i), tails.asSlice((long) i * Slab.ALIGN, Slab.ALIGN), write);
            }
            write.flush();
        } finally {
            buffers.give(tails);
        }
    }

    /** Adds a block in place; what of a segment fills no page goes through {@code tail}: only the last one may have such. */
    private static void add(Whole block, MemorySegment tail, GatheredWrite write) throws IOException {
        long at = 0;
        for (MemorySegment segment : block.segments()) {
            if (!isAligned(at, segment)) {
                throw new IllegalArgumentException("bytes at " + at + " of a block are not aligned: " + segment);
            }
            long direct = Slab.alignDown(segment.byteSize());
            block.extents().forRange(at, direct, (to, into, bytes) -> write.add(to, segment.asSlice(into, bytes)));
            if (direct < segment.byteSize()) {
                MemorySegment rest = segment.asSlice(direct);
                MemorySegment.copy(rest, 0, tail, 0, rest.byteSize());
                tail.asSlice(rest.byteSize()).fill((byte) 0);
                block.extents().forRange(at + direct, Slab.ALIGN, (to, into, bytes) -> write.add(to, tail));
            }
            at += segment.byteSize();
        }
    }

    /** Whether {@link #writeTogether} takes these segments as a block. */
    static boolean isAligned(List<MemorySegment> segments) {
        long at = 0;
        for (MemorySegment segment : segments) {
            if (!isAligned(at, segment)) {
                return false;
            }
            at += segment.byteSize();
        }
        return true;
    }

    /** Writes zeros over pages that belong to nobody. */
    void writeZeros(Extents extents, long offset, long bytes) throws IOException {
        MemorySegment zeros = buffers.take();
        try {
            zeros.fill((byte) 0);
            for (long at = 0; at < bytes; at += zeros.byteSize()) {
                extents.forRange(
                        offset + at,
                        Math.min(zeros.byteSize(), bytes - at),
                        (to, into, some) -> slab.write(to, zeros.asSlice(0, some)));
            }
        } finally {
            buffers.give(zeros);
        }
    }

    /** Reads a range of a block into {@code target}, verified. */
    void read(long handle, Extents extents, int blockBytes, long offset, MemorySegment target, ExpectedSum expected)
            throws IOException {
        Checksums sums = new Checksums(handle, blockBytes);
        boolean fits = isAligned(offset, target) && offset % Checksums.CHUNK_BYTES == 0;
        long direct = fits ? target.byteSize() / Checksums.CHUNK_BYTES * Checksums.CHUNK_BYTES : 0;
        if (direct > 0) {
            extents.forRange(offset, direct, (at, into, bytes) -> slab.read(at, target.asSlice(into, bytes)));
            verify(sums, expected, offset, target.asSlice(0, direct), blockBytes);
        }
        if (direct < target.byteSize()) {
            readBuffered(sums, extents, blockBytes, offset + direct, target.asSlice(direct), expected);
        }
    }

    /** Sums up what the device holds of a block that was not written in order. */
    void sum(Checksums sums, Extents extents, long blockBytes) throws IOException {
        sums.restart();
        MemorySegment buffer = buffers.take();
        try {
            for (long at = 0; at < blockBytes; at += AlignedBuffers.BUFFER_BYTES) {
                long bytes = Math.min(AlignedBuffers.BUFFER_BYTES, blockBytes - at);
                fill(extents, at, buffer.asSlice(0, Slab.alignUp(bytes)));
                sums.update(at, buffer.asSlice(0, bytes));
            }
        } finally {
            buffers.give(buffer);
        }
    }

    private void writeBuffered(Extents extents, long blockBytes, long offset, MemorySegment source) throws IOException {
        MemorySegment buffer = buffers.take();
        try {
            long end = offset + source.byteSize();
            for (long from = Slab.alignDown(offset); from < end; from += AlignedBuffers.BUFFER_BYTES) {
                long to = Math.min(from + AlignedBuffers.BUFFER_BYTES, Slab.alignUp(end));
                MemorySegment window = buffer.asSlice(0, to - from);
                long first = Math.max(from, offset);
                long last = Math.min(to, end);
                keepEdges(extents, blockBytes, from, first, last, window);
                MemorySegment.copy(source, first - offset, window, first - from, last - first);
                extents.forRange(from, to - from, (at, into, bytes) -> slab.write(at, window.asSlice(into, bytes)));
            }
        } finally {
            buffers.give(buffer);
        }
    }

    /** Reads what the first and last page of a window hold where the range does not cover them; zeros past the end. */
    private void keepEdges(Extents extents, long blockBytes, long from, long first, long last, MemorySegment window)
            throws IOException {
        if (first > from) {
            fill(extents, from, window.asSlice(0, Slab.ALIGN));
        }
        long lastPage = Slab.alignDown(last - 1) - from;
        boolean partial = last % Slab.ALIGN != 0;
        if (partial && last == blockBytes) {
            window.asSlice(last - from).fill((byte) 0);
        } else if (partial && (lastPage > 0 || first == from)) {
            fill(extents, from + lastPage, window.asSlice(lastPage, Slab.ALIGN));
        }
    }

    private void readBuffered(
            Checksums sums, Extents extents, int blockBytes, long offset, MemorySegment target, ExpectedSum expected)
            throws IOException {
        MemorySegment buffer = buffers.take();
        try {
            long end = offset + target.byteSize();
            long from = offset / Checksums.CHUNK_BYTES * Checksums.CHUNK_BYTES;
            for (; from < end; from += AlignedBuffers.BUFFER_BYTES) {
                long chunksEnd = Math.ceilDiv(end, (long) Checksums.CHUNK_BYTES) * Checksums.CHUNK_BYTES;
                long to = Math.min(Math.min(from + AlignedBuffers.BUFFER_BYTES, chunksEnd), blockBytes);
                fill(extents, from, buffer.asSlice(0, Slab.alignUp(to - from)));
                verify(sums, expected, from, buffer.asSlice(0, to - from), blockBytes);
                long first = Math.max(from, offset);
                long last = Math.min(to, end);
                MemorySegment.copy(buffer, first - from, target, first - offset, last - first);
            }
        } finally {
            buffers.give(buffer);
        }
    }

    private void fill(Extents extents, long offset, MemorySegment window) throws IOException {
        extents.forRange(offset, window.byteSize(), (at, into, bytes) -> slab.read(at, window.asSlice(into, bytes)));
    }

    private static void verify(Checksums sums, ExpectedSum expected, long offset, MemorySegment bytes, long blockBytes)
            throws CorruptBlockException {
        for (long at = 0; at < bytes.byteSize(); at += Checksums.CHUNK_BYTES) {
            int chunk = (int) ((offset + at) / Checksums.CHUNK_BYTES);
            int size = Checksums.chunkBytes(offset + at, blockBytes);
            if (sums.of(chunk, bytes.asSlice(at, size)) != expected.of(chunk)) {
                throw new CorruptBlockException("chunk " + chunk + " of a block does not verify");
            }
        }
    }

    private static boolean isAligned(long offset, MemorySegment segment) {
        return segment.isNative() && offset % Slab.ALIGN == 0 && segment.address() % Slab.ALIGN == 0;
    }
}
