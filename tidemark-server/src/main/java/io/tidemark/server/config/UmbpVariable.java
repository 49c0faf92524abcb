package io.tidemark.server.config;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A variable of UMBP, and what comes of it here.
 *
 * @param name of the variable
 * @param form what UMBP takes as its value, for the docs
 * @param settings keys of the settings that it gives; none: it is known and has no effect
 * @param translation turns its value into that of the settings; throws IllegalArgumentException with what is wrong
 * @param meaning for the docs; of one without an effect, why
 */
record UmbpVariable(
        String name, String form, List<String> settings, UnaryOperator<String> translation, String meaning) {
    /** UMBP's default is {@code strict}: each write is synced before it is answered. */
    static final String SSD_DURABILITY = "UMBP_SSD_DURABILITY";

    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    /** Every variable that is honoured. */
    static final List<UmbpVariable> HONOURED = List.of(
            new UmbpVariable(
                    "UMBP_DRAM_CAPACITY", "bytes", List.of("dram.capacity"), UmbpVariable::whole, "Memory for blocks."),
            new UmbpVariable(
                    "UMBP_DRAM_HIGH_WM",
                    "share",
                    List.of("dram.high-mark"),
                    UmbpVariable::decimal,
                    "Where eviction from memory starts."),
            new UmbpVariable(
                    "UMBP_DRAM_LOW_WM",
                    "share",
                    List.of("dram.low-mark"),
                    UmbpVariable::decimal,
                    "Where eviction from memory stops."),
            new UmbpVariable(
                    "UMBP_DRAM_USE_HUGEPAGES",
                    "0 or 1",
                    List.of("dram.huge-pages"),
                    UmbpVariable::isOn,
                    "Whether the kernel is asked for huge pages."),
            new UmbpVariable(
                    "UMBP_DRAM_READ_LEASE_MS",
                    "milliseconds",
                    List.of("pool.lease"),
                    text -> whole(text) + "ms",
                    "How long a look-up keeps the last copy of a block from eviction."),
            new UmbpVariable(
                    "UMBP_SSD_ENABLED",
                    "0 or 1",
                    List.of(),
                    UmbpVariable::isOn,
                    "`0`: the other `UMBP_SSD_*` are left aside. `1`: there is an SSD tier, of the size and in the place that"
                            + " `ssd.*` has by default."),
            new UmbpVariable(
                    "UMBP_SSD_DIR",
                    "paths",
                    List.of("ssd.directories"),
                    text -> text,
                    "Directories of the SSD tier, with commas between them."),
            new UmbpVariable(
                    "UMBP_SSD_CAPACITY",
                    "bytes",
                    List.of("ssd.capacity"),
                    UmbpVariable::whole,
                    "Space of all directories together."),
            new UmbpVariable(
                    "UMBP_SSD_HIGH_WM",
                    "share",
                    List.of("ssd.high-mark"),
                    UmbpVariable::decimal,
                    "Where eviction from SSD starts."),
            new UmbpVariable(
                    "UMBP_SSD_LOW_WM",
                    "share",
                    List.of("ssd.low-mark"),
                    UmbpVariable::decimal,
                    "Where eviction from SSD stops."),
            new UmbpVariable(
                    "UMBP_SSD_TIER_IO_THREADS",
                    "number",
                    List.of("ssd.read-threads"),
                    UmbpVariable::whole,
                    "Threads that read from each directory."),
            new UmbpVariable(
                    "UMBP_SSD_STARTUP_DISCARD",
                    "0 or 1",
                    List.of("ssd.fresh"),
                    UmbpVariable::isOn,
                    "`1` discards what an earlier process left. Without it nothing is discarded, nor with a bad value."),
            new UmbpVariable(
                    "UMBP_EVICTION_POLICY",
                    "lru, prefix_aware_lru",
                    List.of("dram.policy", "ssd.policy"),
                    UmbpVariable::policy,
                    "Order of eviction: `lru`, or `lru+np`, which takes the tails of chains first."),
            new UmbpVariable(
                    "UMBP_BACKEND_POLICY",
                    "path",
                    List.of("umbp-policy"),
                    text -> text,
                    "Graph of tiers; what is wrong with it stops the start."));

    /**
     * The values of the variables without an effect here that ask for nothing else than what holds: UMBP's defaults, but for
     * those where another value is what is done here. Every other value is a warning.
     */
    static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("UMBP_DRAM_HUGEPAGE_SIZE", "2097152"),
            Map.entry("UMBP_DRAM_NUMA_NODE", "-1"),
            Map.entry("UMBP_DRAM_NUMA_STRICT", "0"),
            Map.entry("UMBP_DRAM_PREFAULT", "1"),
            Map.entry("UMBP_DRAM_PREFAULT_THREADS", ""),
            Map.entry("UMBP_DRAM_READ_THREADS", "4"),
            Map.entry("UMBP_DRAM_WRITE_THREADS", "4"),
            Map.entry("UMBP_DRAM_NT_COPY", "1"),
            Map.entry("UMBP_SSD_BACKEND", "file"),
            Map.entry("UMBP_SSD_DIRECT_IO", "1"),
            Map.entry("UMBP_SSD_VERIFY_CRC", "1"),
            Map.entry("UMBP_SSD_SHARD_IO_THREADS", "0"),
            Map.entry("UMBP_SSD_SINGLE_FLIGHT", "1"),
            Map.entry(SSD_DURABILITY, "relaxed"),
            Map.entry("UMBP_SSD_TIMING", "0"),
            Map.entry("UMBP_SSD_READ_LEASE_MS", "3000"),
            Map.entry("UMBP_SSD_GET_MAX_ATTEMPTS", "1"),
            Map.entry("UMBP_SSD_GET_RETRY_BACKOFF_MS", "2"),
            Map.entry("UMBP_SSD_PREPARE_TIMEOUT_MS", "0"),
            Map.entry("UMBP_ROLE", ""),
            Map.entry("UMBP_KV_REPLICATION", "none"),
            Map.entry("UMBP_DISTRIBUTED_STAGING_BUFFER_SIZE", "67108864"),
            Map.entry("UMBP_DISTRIBUTED_SSD_STAGING_BUFFER_SIZE", "268435456"),
            Map.entry("UMBP_DISTRIBUTED_SSD_STAGING_BUFFER_SLOTS", "16"),
            Map.entry("UMBP_DISTRIBUTED_SSD_STAGING_USE_HUGEPAGES", "0"));

    private static String whole(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no whole number");
        }
        try {
            long number = Long.parseLong(text);
            if (number < 1) {
                throw new IllegalArgumentException(number + " is below 1");
            }
            return Long.toString(number);
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException("'" + text + "' is out of range");
        }
    }

    private static String decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no number");
        }
        return text;
    }

    private static String isOn(String text) {
        if (!text.equals("0") && !text.equals("1")) {
            throw new IllegalArgumentException("'" + text + "' is neither 0 nor 1");
        }
        return Boolean.toString(text.equals("1"));
    }

    private static String policy(String text) {
        return switch (text.strip()) {
            case "lru" -> "lru";
            case "prefix_aware_lru" -> "lru+np";
            default -> throw new IllegalArgumentException("'" + text + "' is neither lru nor prefix_aware_lru");
        };
    }
}
