package io.tidemark.core.medium;

import java.nio.ByteBuffer;

/**
 * What journal and checkpoint say of one block: its full key, generation and handle, where its bytes are, and the
 * checksum of each 64 KiB of them.
 *
 * <pre>  type 1 | handle 8 | generation 8 | length 4 | key bytes 4 | runs 2 | key | runs: first 4, pages 4 | checksums 4</pre>
 *
 * @param runs pairs of first page and number of pages, in block order
 * @param checksums one a chunk, in block order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only carried
record BlockRecord(long handle, long generation, int lengthBytes, byte[] key, int[] runs, int[] checksums) {
    static final int HANDLE_AT = 1;
    static final int GENERATION_AT = 9;
    static final int LENGTH_AT = 17;
    static final int KEY_BYTES_AT = 21;
    static final int RUNS_AT = 25;
    static final int KEY_AT = 27;

    /** Bytes of a record of this shape. */
    static int bytes(int keyBytes, int runs, int checksums) {
        return KEY_AT + keyBytes + runs * 8 + checksums * 4;
    }

    /** Bytes of the record that begins here, with its type. */
    static int bytesAt(ByteBuffer in, int at) {
        int chunks = Checksums.chunks(in.getInt(at + LENGTH_AT));
        return bytes(in.getInt(at + KEY_BYTES_AT), Short.toUnsignedInt(in.getShort(at + RUNS_AT)), chunks);
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
}
