package io.tidemark.core.pool;

import java.util.List;

/** Which bytes of a value a read is about, told once the value's length is known. */
@FunctionalInterface
public interface Ranges {
    /** The whole value. */
    Ranges WHOLE = bytes -> bytes == 0 ? List.of() : List.of(new ByteRange(0, bytes));

    /**
     * The ranges to be read, each {@linkplain ByteRange#within within} the value; in any order, overlapping or not. None:
     * the read moves nothing and tells the length only.
     */
    List<ByteRange> of(long valueBytes);
}
