package io.tidemark.server.resp;

import io.tidemark.server.resp.command.RespStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What went wrong on event loops in a way that it should not: counted always, and logged when the count is a power of
 * two, so that an error in every turn does not fill the disk.
 */
final class LoopFailures {
    private static final Logger LOG = LoggerFactory.getLogger(LoopFailures.class);

    private final RespStats stats;

    LoopFailures(RespStats stats) {
        this.stats = stats;
    }

    /** Notes an error and what was done about it. */
    void note(String consequence, Throwable failure) {
        stats.loopFailures.increment();
        long count = stats.loopFailures.sum();
        if (Long.bitCount(count) == 1) {
            LOG.error("failure {} of an event loop of the Redis protocol; {}", count, consequence, failure);
        }
    }
}
