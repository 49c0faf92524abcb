package io.tidemark.core.medium;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A reserved copy with all that it is to hold, see {@link Medium#writeTogether}.
 *
 * @param segments its bytes in order; the sizes add up to the length it was reserved with
 * @param key as with {@link Medium#seal}
 * @param generation as with {@link Medium#seal}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only carried
public record WholeBlock(long copy, List<MemorySegment> segments, byte[] key, long generation) {
    /**
     * A block for which space is asked.
     *
     * @param keyBytes length of the key that it will be sealed under
     */
    public record Size(int lengthBytes, int keyBytes) {}
}
