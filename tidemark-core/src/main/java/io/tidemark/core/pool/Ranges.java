package io.tidemark.core.pool;

import java.util.List;

/** Which bytes of a value a read is about, told once the value's length is known. */
@FunctionalInterface
public interface Ranges {
    /** The whole value. */
    Ranges WHOLE = new Ranges() {
        @Override
        public List<ByteRange> of(long valueBytes) {
            return valueBytes == 0 ? List.of() : List.of(new ByteRange(0, valueBytes));
        }

        @Override
        public boolean isWhole() {
            return true;
        }
    };

    /**
     * The ranges to be read, each {@linkplain ByteRange#within within} the value; in any order, overlapping or not. None:
     * the read moves nothing and tells the length only.
     */
    List<ByteRange> of(long valueBytes);

    /** Whether these are always all bytes of the value: then nothing has to be worked out. */
    default boolean isWhole() {
        return false;
    }
}
