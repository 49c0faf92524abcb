package io.tidemark.core.medium;

import java.nio.ByteBuffer;

/**
 * What journal and checkpoint say of one block: its full key, generation and handle, where its bytes are, and the
 * checksum of each 64 KiB of them.
 *
 * @param runs pairs of first page and number of pages, in block order
 * @param checksums one a chunk, in block order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only carried
record BlockRecord(long handle, long generation, int lengthBytes, byte[] key, int[] runs, int[] checksums) {
    private static final int FIXED_BYTES = 1 + 8 + 8 + 4 + 4 + 2;

    /** Bytes of a record of this shape. */
    static int bytes(int keyBytes, int runs, int checksums) {
        return FIXED_BYTES + keyBytes + runs * 8 + checksums * 4;
    }

    int bytes() {
        return bytes(key.length, runs.length / 2, checksums.length);
    }

    void encode(ByteBuffer out) {
        out.put(RecordType.PUT).putLong(handle).putLong(generation).putInt(lengthBytes);
        out.putInt(key.length).putShort((short) (runs.length / 2)).put(key);
        for (int run : runs) {
            out.putInt(run);
        }
        for (int checksum : checksums) {
            out.putInt(checksum);
        }
    }

    /** Reads what {@link #encode} wrote, after the type. */
    static BlockRecord decode(ByteBuffer in) {
        long handle = in.getLong();
        long generation = in.getLong();
        int lengthBytes = in.getInt();
        byte[] key = new byte[in.getInt()];
        int[] runs = new int[Short.toUnsignedInt(in.getShort()) * 2];
        in.get(key);
        for (int i = 0; i < runs.length; i++) {
            runs[i] = in.getInt();
        }
        int[] checksums = new int[Checksums.chunks(lengthBytes)];
        for (int i = 0; i < checksums.length; i++) {
            checksums[i] = in.getInt();
        }
        return new BlockRecord(handle, generation, lengthBytes, key, runs, checksums);
    }
}
