package io.tidemark.core.pool;

import java.nio.ByteBuffer;
import java.util.Arrays;
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
    /** First byte of the record of the first part of a block that lives for ever; its key is all that follows. */
    static final byte PLAIN = 0;

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
        boolean hasEnd = (bytes[0] & HAS_END) != 0;
        int keyAt = hasEnd ? 1 + Long.BYTES : 1;
        BlockKey key = BlockKey.of(Arrays.copyOfRange(bytes, keyAt, bytes.length));
        return new RecordKey(
                (bytes[0] & PART) == 0 ? key : key.part(PART),
                hasEnd ? OptionalLong.of(ByteBuffer.wrap(bytes).getLong(1)) : OptionalLong.empty());
    }
}
