package io.tidemark.server.replay;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a run came to.
 *
 * @param seconds wall time of the run, connecting not counted
 * @param droppedOnlyCopies last copies that the server lost to failed demotions during the run; 0 for a server without
 *     tiers
 */
public record ReplayReport(
        ReplayCounts counts, double seconds, long droppedOnlyCopies, Latency lookUp, Latency load, Latency store) {

    /** Value bytes moved per second, loads and stores together. */
    public double bytesPerSecond() {
        return seconds > 0 ? counts.bytesMoved() / seconds : 0;
    }

    /** The report as an object for machines: names in snake case, latencies in microseconds. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("requests", counts.requests());
        fields.put("references", counts.references());
        fields.put("prefix_hits", counts.prefixHits());
        fields.put("tokens_saved", counts.tokensSaved());
        fields.put("stored_blocks", counts.storedBlocks());
        fields.put("refused_puts", counts.refusedPuts());
        fields.put("retries", counts.retries());
        fields.put("failed_loads", counts.failedLoads());
        fields.put("wrong_bytes", counts.wrongBytes());
        fields.put("dropped_only_copies", droppedOnlyCopies);
        fields.put("bytes_loaded", counts.bytesLoaded());
        fields.put("bytes_stored", counts.bytesStored());
        fields.put("bytes_per_second", Math.round(bytesPerSecond()));
        fields.put("seconds", Math.round(seconds * 1e3) / 1e3);
        Map<String, Object> latencies = new LinkedHashMap<>();
        latencies.put("lookup", lookUp.fields());
        latencies.put("get", load.fields());
        latencies.put("put", store.fields());
        fields.put("latency_us", latencies);
        return fields;
    }

    /** Percentiles in microseconds of the time that a request's look-up, load or store took, its whole chain each. */
    public record Latency(double p50, double p90, double p99, double max) {
        static Latency of(Histogram nanos) {
            return new Latency(
                    micros(nanos.getValueAtPercentile(50)),
                    micros(nanos.getValueAtPercentile(90)),
                    micros(nanos.getValueAtPercentile(99)),
                    micros(nanos.getMaxValue()));
        }

        private static double micros(long nanos) {
            return Math.round(nanos / 100.0) / 10.0;
        }

        private Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("p50", p50);
            fields.put("p90", p90);
            fields.put("p99", p99);
            fields.put("max", max);
            return fields;
        }
    }
}
