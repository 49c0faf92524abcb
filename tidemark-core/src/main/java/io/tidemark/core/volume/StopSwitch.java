package io.tidemark.core.volume;

/** What brings a sweeper to a stop: walks and rests end, and nothing may be removed any more. */
record StopSwitch(Pace pace, CrawlBoard board, DeletionGrant grant) {
    /** Ends walks and rests, and takes back the right to delete, for good. */
    void stop() {
        pace.stop();
        grant.revoke();
        board.cancel();
    }
}
