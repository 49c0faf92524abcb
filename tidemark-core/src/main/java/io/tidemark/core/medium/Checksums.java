package io.tidemark.core.medium;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * CRC-32C of each {@value #CHUNK_BYTES} bytes of a block, so that a range can be verified alone. Each starts with the
 * handle of the copy and the number of the chunk: the right bytes in the wrong place do not verify.
 */
final class Checksums {
    static final int CHUNK_BYTES = 65_536;

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer seed = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
    private final int[] sums;
    private final long length;
    private long next;
    private boolean inOrder = true;

    /** For a block that is about to be written from front to back. */
    Checksums(long handle, int lengthBytes) {
        seed.putLong(0, handle);
        sums = new int[chunks(lengthBytes)];
        length = lengthBytes;
    }

    /** Chunks of a block. */
    static int chunks(int lengthBytes) {
        return Math.ceilDiv(lengthBytes, CHUNK_BYTES);
    }

    /** Bytes of the chunk that starts at {@code offset}. */
    static int chunkBytes(long offset, long lengthBytes) {
        return (int) Math.min(CHUNK_BYTES, lengthBytes - offset);
    }

    /** Takes the next bytes of the block; bytes out of order make the sums {@linkplain #isComplete incomplete}. */
    void update(long offset, MemorySegment bytes) {
        inOrder &= offset == next;
        if (!inOrder) {
            return;
        }
        long done = 0;
        while (done < bytes.byteSize()) {
            int chunk = (int) (next / CHUNK_BYTES);
            int into = (int) (next % CHUNK_BYTES);
            if (into == 0) {
                begin(chunk);
            }
            long step = Math.min(CHUNK_BYTES - into, bytes.byteSize() - done);
            crc.update(bytes.asSlice(done, step).asByteBuffer());
            done += step;
            next += step;
            sums[chunk] = (int) crc.getValue();
        }
    }

    /** Takes all bytes of the block, in pieces. */
    void updateAll(List<MemorySegment> pieces) {
        long at = 0;
        for (MemorySegment piece : pieces) {
            update(at, piece);
            at += piece.byteSize();
        }
    }

    /** Whether every byte came, in order. */
    boolean isComplete() {
        return inOrder && next == length;
    }

    int[] sums() {
        return sums;
    }

    /** Starts over. */
    void restart() {
        next = 0;
        inOrder = true;
    }

    /** The sum of one whole chunk. */
    int of(int chunk, MemorySegment bytes) {
        begin(chunk);
        crc.update(bytes.asByteBuffer());
        return (int) crc.getValue();
    }

    private void begin(int chunk) {
        seed.putInt(Long.BYTES, chunk);
        crc.reset();
        crc.update(seed.array());
    }
}
