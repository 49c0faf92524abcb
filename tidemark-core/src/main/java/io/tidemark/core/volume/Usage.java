package io.tidemark.core.volume;

/**
 * How full a volume is, as a writer without privileges sees it: what only root may use is neither used nor capacity.
 *
 * @param usedBytes bytes in use
 * @param totalBytes bytes in use and bytes a writer may still use
 * @param usedInodes inodes in use
 * @param totalInodes inodes in all; 0 where the file system has no such limit
 */
public record Usage(long usedBytes, long totalBytes, long usedInodes, long totalInodes) {
    /** Percent of the bytes in use. */
    public double bytesPercent() {
        return percent(usedBytes, totalBytes);
    }

    /** Percent of the inodes in use, 0 without a limit. */
    public double inodesPercent() {
        return percent(usedInodes, totalInodes);
    }

    /** The fuller of bytes and inodes, in percent. */
    public double percent() {
        return Math.max(bytesPercent(), inodesPercent());
    }

    /** What it would be with so much less in use. */
    Usage less(long bytes, long inodes) {
        return new Usage(Math.max(0, usedBytes - bytes), totalBytes, Math.max(0, usedInodes - inodes), totalInodes);
    }

    /** Bytes above a mark in percent, 0 below it. */
    long bytesAbove(double markPercent) {
        return above(usedBytes, totalBytes, markPercent);
    }

    /** Inodes above a mark in percent, 0 below it. */
    long inodesAbove(double markPercent) {
        return above(usedInodes, totalInodes, markPercent);
    }

    private static long above(long used, long total, double markPercent) {
        return Math.max(0, (long) Math.ceil(used - total * markPercent / 100));
    }

    private static double percent(long used, long total) {
        return total == 0 ? 0 : 100.0 * used / total;
    }
}
