package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The checked configuration of one server.
 *
 * @param stateDir directory of lock, sockets and endpoint file
 * @param ssd the tier under the memory, empty: none
 * @param umbpNames whether metrics are shown under UMBP's names too
 */
public record TidemarkConfig(
        Path stateDir,
        Dram dram,
        Optional<Ssd> ssd,
        Limits limits,
        Redis redis,
        Http http,
        Log log,
        boolean umbpNames) {
    /**
     * Memory for blocks.
     *
     * @param capacityBytes a multiple of the page
     * @param shrinkable whether less may be taken on a small machine
     * @param policy order of eviction, one of the words of {@code dram.policy}
     */
    public record Dram(
            long capacityBytes, boolean shrinkable, long pageBytes, double highMark, double lowMark, String policy) {
        /** The policy that never evicts. */
        public static final String NO_EVICTION = "none";

        /** The same with another capacity, rounded down to pages. */
        public Dram withCapacity(long bytes) {
            return new Dram(bytes - bytes % pageBytes, shrinkable, pageBytes, highMark, lowMark, policy);
        }
    }

    /**
     * Space on SSD for what the memory evicts.
     *
     * @param directories one a device, at least one
     * @param capacityBytes of all directories together
     * @param promotion what a read does to a block, empty: nothing
     * @param fresh whether what an earlier process left is discarded
     */
    public record Ssd(
            List<Path> directories,
            long capacityBytes,
            int pageBytes,
            double highMark,
            double lowMark,
            String policy,
            Optional<Promotion> promotion,
            boolean fresh) {
        /** What one directory may occupy. */
        public long directoryBytes() {
            return capacityBytes / directories.size();
        }
    }

    /**
     * When a block goes up to memory.
     *
     * @param hits reads it takes
     * @param move whether it leaves the SSD then
     */
    public record Promotion(int hits, boolean move) {}

    /**
     * Bounds of the pool.
     *
     * @param waitWhenFull whether a put waits for space, or is refused at once
     * @param leaseShare most bytes under lease, as a share of the memory
     * @param pinShare most bytes pinned, as a share of the memory
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
            long demotionRetryMillis) {}

    /**
     * Redis protocol.
     *
     * @param password what clients have to send, empty: none
     */
    public record Redis(List<ListenerConfig> listeners, Optional<String> password, int maxConnections) {
        /** Hides the password. */
        @Override
        public String toString() {
            return "Redis[listeners=" + listeners + ", password=" + (password.isPresent() ? "set" : "none") + "]";
        }
    }

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

    /** The same with another DRAM. */
    public TidemarkConfig withDram(Dram other) {
        return new TidemarkConfig(stateDir, other, ssd, limits, redis, http, log, umbpNames);
    }
}
