package io.tidemark.server.replay;

import java.io.IOException;

/** Is shown how far a run is, a few times a second and at its end, from the thread that runs it. */
@FunctionalInterface
public interface ReplayListener {
    /**
     * Shows how far the run is.
     *
     * @param counts counts so far
     * @param totalRequests requests in the trace
     * @param seconds time since the start
     */
    void progress(ReplayCounts counts, int totalRequests, double seconds) throws IOException;
}
