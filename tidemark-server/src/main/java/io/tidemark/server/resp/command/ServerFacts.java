package io.tidemark.server.resp.command;

import java.util.Map;

/**
 * What the protocol tells about the server.
 *
 * @param version of Tidemark
 * @param maxValueBytes largest value accepted
 * @param tcpPort first TCP port listened on, 0 when there is none
 * @param startNanos monotonic time of the start
 * @param config what CONFIG GET shows of the protocol's own settings, by Redis's names
 */
public record ServerFacts(
        String version, long maxValueBytes, int tcpPort, long startNanos, Map<String, String> config) {
    /** The Redis release whose commands and replies are followed; clients choose features by it. */
    static final String REDIS_VERSION = "7.2.0";

    public ServerFacts {
        config = Map.copyOf(config);
    }
}
