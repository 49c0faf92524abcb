package io.tidemark.index.replay;

import java.util.Arrays;

/**
 * Bytes of a recording. A header: 7 bytes of magic, the version, the id of the recording (16), which of its files
 * it is (4, from 0), the wall clock at its beginning in milliseconds (8) and the time of the first use in microseconds (8), big
 * endian. Then uses:
 *
 * <pre>  kind and flags   1        kind in the low four bits
 *   time             varint   microseconds since the use before, zigzag
 *   client           varint
 *   key              16
 *   parent           16       with PARENT
 *   bytes            varint
 *   time to live     varint   milliseconds, with TTL</pre>
 *
 * A varint has seven bits a byte, the lowest first, and the top bit where another byte follows.
 */
final class RecordingFormat {
    static final int VERSION = 1;
    static final int HEADER_BYTES = 44;
    static final int KIND = 0x0F;
    static final int JOINED = 0x10;
    static final int PARENT = 0x20;
    static final int TAIL = 0x40;
    static final int TTL = 0x80;
    private static final byte[] MAGIC = {(byte) 0x89, 'T', 'M', 'U', 'S', 'E', '\n'};

    private RecordingFormat() {}

    static byte[] magic() {
        return MAGIC.clone();
    }

    /** Whether a file that begins so is a recording, of whatever version. */
    static boolean isRecording(byte[] beginning) {
        return beginning.length >= MAGIC.length && Arrays.equals(beginning, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }
}
