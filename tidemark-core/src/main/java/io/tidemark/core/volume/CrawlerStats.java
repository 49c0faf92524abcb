package io.tidemark.core.volume;

/** Totals of one crawler since the start; written by that crawler, read by any. */
public final class CrawlerStats {
    private volatile Reading totals = new Reading(0, 0, 0, 0, 0);

    /**
     * A reading of all totals.
     *
     * @param discovered files seen
     * @param queued files put where deleters find them
     * @param emptyFolders empty folders handed to the folder cleaner
     * @param hot files younger than the age floor
     * @param statErrors files and directories that could not be looked at
     */
    public record Reading(long discovered, long queued, long emptyFolders, long hot, long statErrors) {
        /** The totals of two crawlers together. */
        public Reading plus(Reading other) {
            return new Reading(
                    discovered + other.discovered,
                    queued + other.queued,
                    emptyFolders + other.emptyFolders,
                    hot + other.hot,
                    statErrors + other.statErrors);
        }
    }

    /** The totals now. */
    public Reading read() {
        return totals;
    }

    /** Adds what the crawler has done since the last time. */
    void add(Reading more) {
        totals = totals.plus(more);
    }
}
