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

    /** The latest moment that is told apart, in seconds since 1970; later stamps are this. */
    private static final long LATEST_SECONDS = 0xffff_ffffL;

    /**
     * Last use in seconds since 1970, as it is stamped: it may lie ahead of our clock. What was seen and what is found right
     * before a removal are compared as they are, because "now" goes on in between.
     */
    long seconds(MemorySegment facts) {
        long accessed = StatxBuffer.accessSeconds(facts);
        long modified = StatxBuffer.modifiedSeconds(facts);
        long used = switch (this) {
            case MAX -> Math.max(accessed, modified);
            case ATIME -> accessed;
            case MTIME -> modified;
        };
        return Math.clamp(used, 0, LATEST_SECONDS);
    }
}
