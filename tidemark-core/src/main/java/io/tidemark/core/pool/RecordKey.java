package io.tidemark.core.pool;

import java.util.Arrays;

/** The key under which a medium records a block: number of the part in one byte, then the key. */
final class RecordKey {
    private RecordKey() {}

    static byte[] of(byte[] key, int part) {
        byte[] record = new byte[1 + key.length];
        record[0] = (byte) part;
        System.arraycopy(key, 0, record, 1, key.length);
        return record;
    }

    static BlockKey parse(byte[] record) {
        return BlockKey.of(Arrays.copyOfRange(record, 1, record.length)).part(record[0]);
    }
}
