package io.tidemark.server.volume;

/**
 * What was removed since deletion began, so that its end can say so. Told by every deleter.
 *
 * <p>Files that go by age or quota meanwhile are among them, and those of a batch that is still under way at the end are not.
 */
final class CleanupSum {
    private Removed removed = Removed.NOTHING;
    private long begunNanos;

    /**
     * Files that went.
     *
     * @param coldestSeconds last use of the coldest, seconds since 1970; of the youngest beside it; without files neither says
     *     anything
     * @param nanos since deletion began
     */
    record Removed(long files, long bytes, long coldestSeconds, long youngestSeconds, long nanos) {
        static final Removed NOTHING = new Removed(0, 0, Long.MAX_VALUE, 0, 0);
    }

    synchronized void begin(long nowNanos) {
        removed = Removed.NOTHING;
        begunNanos = nowNanos;
    }

    synchronized void add(long bytes, long usedSeconds) {
        removed = new Removed(
                removed.files + 1,
                removed.bytes + bytes,
                Math.min(removed.coldestSeconds, usedSeconds),
                Math.max(removed.youngestSeconds, usedSeconds),
                0);
    }

    /** The sum up to now. */
    synchronized Removed upTo(long nowNanos) {
        return new Removed(
                removed.files, removed.bytes, removed.coldestSeconds, removed.youngestSeconds, nowNanos - begunNanos);
    }
}
