package io.tidemark.core.volume;

/**
 * A bar of the age histogram: bytes of files last used between these ages ago.
 *
 * @param toSeconds {@link Long#MAX_VALUE} for the oldest
 */
public record AgeShare(long fromSeconds, long toSeconds, long bytes) {
    /** Whether there is no older bar. */
    public boolean isOldest() {
        return toSeconds == Long.MAX_VALUE;
    }
}
