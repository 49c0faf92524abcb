package io.tidemark.server.config;

import io.tidemark.server.record.RecordOptions;
import io.tidemark.server.resp.RespListener;
import io.tidemark.server.resp.wire.TlsFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The checked configuration of one server.
 *
 * @param stateDir directory of lock, sockets and endpoint file
 * @param tiers where blocks lie
 * @param hugePages whether the memory asks for huge pages
 * @param ssdFresh whether what an earlier process left on SSD is discarded
 * @param umbpNames whether metrics are shown under UMBP's names too
 * @param record where uses of blocks are recorded; empty: nowhere
 */
public record TidemarkConfig(
        Path stateDir,
        TierPlan tiers,
        boolean hugePages,
        boolean ssdFresh,
        Limits limits,
        Redis redis,
        Http http,
        Log log,
        boolean umbpNames,
        Optional<RecordOptions> record) {
    /**
     * Bounds of the pool.
     *
     * @param waitWhenFull whether a put waits for space, or is refused at once
     * @param leaseShare most bytes under lease, as a share of the memory
     * @param pinShare most bytes pinned, as a share of the memory
     * @param putLimitMillis longest life of an unfinished put, at least stalledMillis
     * @param moves what carries blocks between tiers
     * @param reads what reads from SSD
     * @param indexBytes heap of the index, empty: half the heap
     */
    public record Limits(
            long maxValueBytes,
            boolean waitWhenFull,
            long fullWaitMillis,
            int fullWaiters,
            long leaseMillis,
            double leaseShare,
            double pinShare,
            long stalledMillis,
            long putLimitMillis,
            long demotionRetryMillis,
            Moves moves,
            Reads reads,
            OptionalLong indexBytes) {
        /** The same with a largest value that these tiers keep. */
        Limits keptBy(TierPlan tiers) {
            return new Limits(
                    Math.min(maxValueBytes, tiers.largestKeptBytes()),
                    waitWhenFull,
                    fullWaitMillis,
                    fullWaiters,
                    leaseMillis,
                    leaseShare,
                    pinShare,
                    stalledMillis,
                    putLimitMillis,
                    demotionRetryMillis,
                    moves,
                    reads,
                    indexBytes);
        }
    }

    /** Threads that carry blocks between tiers, for each device, and bytes on their way at most. */
    public record Moves(int workers, long bytes) {}

    /** Threads that read from each device, and memory for what they read at most. */
    public record Reads(int threads, long bytes) {}

    /**
     * Redis protocol.
     *
     * @param tls certificates, there where a listener speaks TLS
     */
    public record Redis(List<RespListener> listeners, int maxConnections, Optional<TlsFiles> tls) {}

    /**
     * Admin HTTP.
     *
     * @param movable whether another free port may be taken when this one is in use
     * @param token bearer token, empty: none
     */
    public record Http(String bind, int port, boolean movable, Optional<String> token) {
        /** Hides the token. */
        @Override
        public String toString() {
            return "Http[bind=" + bind + ", port=" + port + ", token=" + (token.isPresent() ? "set" : "none") + "]";
        }
    }

    /**
     * The log on stderr.
     *
     * @param summaryMillis time between summary lines, 0: none
     */
    public record Log(String level, boolean json, long summaryMillis) {}

    /** The same with other tiers, and values that these keep. */
    public TidemarkConfig withTiers(TierPlan other) {
        return new TidemarkConfig(
                stateDir, other, hugePages, ssdFresh, limits.keptBy(other), redis, http, log, umbpNames, record);
    }
}
