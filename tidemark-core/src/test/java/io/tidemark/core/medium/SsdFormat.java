package io.tidemark.core.medium;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Forges headers and frames of the files of an SSD medium, by the description of the format and not by its code. */
final class SsdFormat {
    private static final int FRAMES_AT = 4_096;
    private static final int FRAME_MAGIC = 0x6d72_4674;
    private static final byte[] NO_SALT = {};

    private SsdFormat() {}

    static void setVersion(byte[] file, int version) {
        ByteBuffer header = littleEndian(file).putInt(8, version);
        header.putInt(28, crc(header.slice(0, 28)));
    }

    /** Version in a file's header. */
    static int version(byte[] file) {
        return littleEndian(file).getInt(8);
    }

    /** A whole frame as version 4 has it, padding included. */
    static byte[] frameWithoutSalt(long epoch, int number, byte[] payload) {
        return frame(epoch, number, payload, NO_SALT, 0);
    }

    /** A whole frame of a file with this salt. */
    static byte[] frame(long epoch, int number, byte[] payload, long salt) {
        byte[] seed = new byte[Long.BYTES];
        littleEndian(seed).putLong(salt);
        return frame(epoch, number, payload, seed, (int) salt);
    }

    private static byte[] frame(long epoch, int number, byte[] payload, byte[] seed, int mark) {
        byte[] whole = new byte[Math.ceilDiv(24 + payload.length, 64) * 64];
        ByteBuffer frame = littleEndian(whole);
        frame.putInt(FRAME_MAGIC).putInt((int) epoch).putInt(number).putInt(payload.length);
        int sum = crc(ByteBuffer.wrap(seed), frame.slice(4, 12), ByteBuffer.wrap(payload));
        frame.putInt(sum).putInt(mark).put(payload);
        return whole;
    }

    /** Makes a file of version 5 what version 4 would have written. */
    static void downgrade(byte[] file) {
        ByteBuffer bytes = littleEndian(file);
        int epoch = (int) bytes.getLong(16);
        setVersion(file, 4);
        bytes.putInt(44, crc(bytes.slice(0, 28), bytes.slice(32, 12))).putLong(48, 0);
        for (int at = FRAMES_AT; at + 24 <= file.length; at += 64) {
            if (bytes.getInt(at) == FRAME_MAGIC && bytes.getInt(at + 4) == epoch) {
                int payload = bytes.getInt(at + 12);
                bytes.putInt(at + 16, crc(bytes.slice(at + 4, 12), bytes.slice(at + 24, payload)));
                bytes.putInt(at + 20, 0);
                at += Math.ceilDiv(24 + payload, 64) * 64 - 64;
            }
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int crc(ByteBuffer... parts) {
        CRC32C crc = new CRC32C();
        for (ByteBuffer part : parts) {
            crc.update(part);
        }
        return (int) crc.getValue();
    }
}
