package io.tidemark.core.pool;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * The key under which a medium records a block: part and kind in one byte, the end of its life by the wall clock if it has
 * one, then the key. What a medium shows after a restart is told apart by it.
 *
 * <pre>  [ 6 unused | 1 has an end | 1 part ] [ 8 bytes, milliseconds since 1970, if it has an end ] key</pre>
 *
 * @param diesAtMillis end of life by the wall clock
 */
record RecordKey(BlockKey key, OptionalLong diesAtMillis) {
    private static final int PART = 1;
    private static final int HAS_END = 2;

    /** What the medium is given. */
    byte[] bytes() {
        ByteBuffer record = ByteBuffer.allocate(1 + (diesAtMillis.isPresent() ? Long.BYTES : 0) + key.bytes().length);
        record.put((byte) (key.part() | (diesAtMillis.isPresent() ? HAS_END : 0)));
        diesAtMillis.ifPresent(record::putLong);
        return record.put(key.bytes()).array();
    }

    /** Most bytes that a medium is given for this key. */
    static int bytesMax(BlockKey key) {
        return 1 + Long.BYTES + key.bytes().length;
    }

    static RecordKey parse(byte[] bytes) {
        ByteBuffer record = ByteBuffer.wrap(bytes);
        int kind = record.get();
        OptionalLong diesAt = (kind & HAS_END) != 0 ? OptionalLong.of(record.getLong()) : OptionalLong.empty();
        byte[] key = new byte[record.remaining()];
        record.get(key);
        return new RecordKey(BlockKey.of(key).part(kind & PART), diesAt);
    }
}
