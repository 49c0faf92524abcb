package io.tidemark.core.medium;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.zip.CRC32C;

/**
 * What the frames of one file and epoch are told by: a mark in each, and its sum, both from the file's salt. Keys lie in
 * frames as clients chose them, and who looks for the next frame, behind a damaged one or behind the last one, meets them too.
 * Bytes in a key that look like a frame would have to hit mark and sum: 64 bits that are drawn when the file begins, and that
 * nobody is told.
 */
final class FrameSeal {
    /** Of files of version 4, which have no salt: who knows the format can write a key that holds frames. */
    static final FrameSeal WITHOUT_SALT = new FrameSeal(0, new byte[0]);

    private final int mark;
    private final byte[] seed;

    private FrameSeal(int mark, byte[] seed) {
        this.mark = mark;
        this.seed = seed;
    }

    /** Of a file with this salt. */
    static FrameSeal of(long salt) {
        ByteBuffer seed = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return new FrameSeal((int) salt, seed.putLong(salt).array());
    }

    /** A salt that nobody can guess. */
    static long newSalt() {
        return Source.RANDOM.nextLong();
    }

    /** Made when the first file begins: a start that goes on behind what is there needs none, and it takes a while. */
    private static final class Source {
        private static final SecureRandom RANDOM = new SecureRandom();
    }

    /** What stands in every frame; looked at first, so that foreign bytes cost no sum. */
    int mark() {
        return mark;
    }

    /** The sum of a frame, from its epoch to its number of bytes and of what is behind its header. */
    int sum(ByteBuffer frame) {
        CRC32C crc = new CRC32C();
        crc.update(seed);
        crc.update(frame.slice(4, 12));
        crc.update(frame.slice(FrameFile.FRAME_HEADER_BYTES, frame.limit() - FrameFile.FRAME_HEADER_BYTES));
        return (int) crc.getValue();
    }
}
