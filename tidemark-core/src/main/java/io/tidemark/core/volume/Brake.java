package io.tidemark.core.volume;

/** What brings a sweeper to a stop: walks and rests end, and nothing may be removed any more. */
record Brake(Pace pace, CrawlBoard board, DeletionGrant grant) {
    /** Stops, for good. */
    void pull() {
        pace.stop();
        grant.revoke();
        board.cancel();
    }
}
