package io.tidemark.core.volume;

import io.tidemark.core.medium.StatxBuffer;
import java.lang.foreign.MemorySegment;

/** Which time stamp says when a file was last used. */
public enum RecencyRule {
    /** The later of last access and last change. */
    MAX,
    /** Last access. */
    ATIME,
    /** Last change of the content. */
    MTIME;

    /** Last use in seconds since 1970; a stamp from the future is now. */
    long seconds(MemorySegment facts, long nowSeconds) {
        long accessed = StatxBuffer.accessSeconds(facts);
        long modified = StatxBuffer.modifiedSeconds(facts);
        long used = switch (this) {
            case MAX -> Math.max(accessed, modified);
            case ATIME -> accessed;
            case MTIME -> modified;
        };
        return Math.clamp(used, 0, nowSeconds);
    }
}
