package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.LOADING;
import static io.tidemark.server.resp.command.Flag.STALE;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** INFO, with the sections and field names that exporters of Redis read. */
final class InfoCommand {
    private static final Set<String> EVERYTHING = Set.of("all", "everything");

    /** Only shown when asked for, alone or with everything. */
    private static final Set<String> NOT_BY_DEFAULT = Set.of("commandstats");

    private InfoCommand() {}

    static void addTo(CommandTable table) {
        table.add(
                "info",
                -1,
                Set.of(LOADING, STALE),
                KeyPositions.NONE,
                "Tells about the server and what it did.",
                InfoCommand::info);
    }

    private static void info(Call call) {
        Set<String> asked = IntStream.range(1, call.count())
                .mapToObj(i -> call.text(i).toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        boolean all = asked.stream().anyMatch(EVERYTHING::contains);
        boolean standard = asked.isEmpty() || asked.contains("default");
        StringBuilder text = new StringBuilder();
        sections(call).forEach((name, section) -> {
            String word = name.toLowerCase(Locale.ROOT);
            if (all || asked.contains(word) || (standard && !NOT_BY_DEFAULT.contains(word))) {
                text.append(text.isEmpty() ? "" : "\r\n")
                        .append("# ")
                        .append(name)
                        .append("\r\n");
                section.accept(call, new Fields(text));
            }
        });
        call.reply().text(text.toString());
    }

    private static Map<String, BiConsumer<Call, Fields>> sections(Call call) {
        PoolFigures pool = PoolFigures.of(call.pool());
        Map<String, BiConsumer<Call, Fields>> sections = new LinkedHashMap<>();
        sections.put("Server", InfoCommand::server);
        sections.put("Clients", InfoCommand::clients);
        sections.put("Memory", (c, fields) -> memory(c, fields, pool));
        sections.put("Persistence", (_, fields) -> persistence(fields));
        sections.put("Stats", (c, fields) -> stats(c, fields, pool));
        sections.put("Replication", (_, fields) -> replication(fields));
        sections.put("Commandstats", InfoCommand::commandstats);
        sections.put("Keyspace", (c, fields) -> keyspace(c, fields, pool));
        return sections;
    }

    /** Writes {@code name:value} lines. */
    private record Fields(StringBuilder text) {
        Fields put(String name, Object value) {
            text.append(name).append(':').append(value).append("\r\n");
            return this;
        }
    }

    private static void server(Call call, Fields fields) {
        ServerFacts facts = call.environment().facts();
        long seconds = (call.environment().clocks().monotonicNanos() - facts.startNanos()) / 1_000_000_000;
        fields.put("redis_version", ServerFacts.REDIS_VERSION)
                .put("tidemark_version", facts.version())
                .put("redis_mode", "standalone")
                .put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"))
                .put("arch_bits", 64)
                .put("process_id", ProcessHandle.current().pid())
                .put("tcp_port", facts.tcpPort())
                .put("uptime_in_seconds", seconds)
                .put("uptime_in_days", seconds / 86_400);
    }

    private static void clients(Call call, Fields fields) {
        fields.put("connected_clients", call.environment().clients().count())
                .put("maxclients", call.environment().facts().config().getOrDefault("maxclients", "0"))
                .put("blocked_clients", call.pool().status().spaceWaiters());
    }

    private static void memory(Call call, Fields fields, PoolFigures pool) {
        String policy = "maxmemory-policy";
        fields.put("used_memory", pool.usedBytes())
                .put("maxmemory", pool.capacityBytes())
                .put("maxmemory_policy", call.environment().facts().config().getOrDefault(policy, ""));
    }

    private static void persistence(Fields fields) {
        fields.put("loading", 0).put("rdb_bgsave_in_progress", 0).put("aof_enabled", 0);
    }

    private static void stats(Call call, Fields fields, PoolFigures pool) {
        RespStats stats = call.stats();
        fields.put("total_connections_received", stats.connections.sum())
                .put("total_commands_processed", stats.commands.sum())
                .put("total_net_input_bytes", stats.bytesIn.sum())
                .put("total_net_output_bytes", stats.bytesOut.sum())
                .put("rejected_connections", stats.rejectedConnections.sum())
                .put("expired_keys", pool.left("expired"))
                .put("evicted_keys", pool.left("capacity"))
                .put("keyspace_hits", stats.hits.sum())
                .put("keyspace_misses", stats.misses.sum())
                .put("total_error_replies", stats.errors.sum())
                .put("dropped_only_copies", pool.droppedOnlyCopies());
        pool.tierHits().forEach((tier, hits) -> fields.put("tier_hits_" + tier, hits));
    }

    private static void replication(Fields fields) {
        fields.put("role", "master").put("connected_slaves", 0);
    }

    private static void commandstats(Call call, Fields fields) {
        call.stats().byCommand().forEach((command, stats) -> fields.put("cmdstat_" + command, stats));
    }

    private static void keyspace(Call call, Fields fields, PoolFigures pool) {
        if (pool.blocks() > 0) {
            fields.put(
                    "db0", "keys=" + pool.blocks() + ",expires=" + call.pool().blocksWithTtl() + ",avg_ttl=0");
        }
    }
}
