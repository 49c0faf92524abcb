package io.tidemark.server.replay;

/**
 * One server of the demo at a moment of its run.
 *
 * @param server what the server says it did since the run began
 */
record DemoColumn(String name, ReplayCounts counts, int totalRequests, double seconds, ServerInfo server) {
    /** Value bytes moved per second so far. */
    long bytesPerSecond() {
        return seconds > 0 ? (long) (counts.bytesMoved() / seconds) : 0;
    }
}
