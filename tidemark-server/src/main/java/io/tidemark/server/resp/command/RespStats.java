package io.tidemark.server.resp.command;

import io.tidemark.core.pool.CounterVisitor;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the protocol server counts. Any thread may add. */
public final class RespStats {
    public final LongAdder connections = new LongAdder();
    public final LongAdder rejectedConnections = new LongAdder();
    public final LongAdder stalledConnections = new LongAdder();
    public final LongAdder idleConnections = new LongAdder();
    public final LongAdder shedConnections = new LongAdder();
    public final LongAdder loopFailures = new LongAdder();
    public final LongAdder protocolErrors = new LongAdder();
    public final LongAdder bytesIn = new LongAdder();
    public final LongAdder bytesOut = new LongAdder();
    public final LongAdder fullWaits = new LongAdder();
    private final ConcurrentHashMap<String, CommandStats> byCommand = new ConcurrentHashMap<>();
    final LongAdder commands = new LongAdder();
    final LongAdder errors = new LongAdder();
    public final LongAdder hits = new LongAdder();
    public final LongAdder misses = new LongAdder();
    final LongAdder refusedFull = new LongAdder();
    final LongAdder refusedReads = new LongAdder();
    final LongAdder paddedMisses = new LongAdder();
    final LongAdder plainMisses = new LongAdder();

    /** The calls of one command. */
    CommandStats of(Command command) {
        CommandStats known = byCommand.get(command.name());
        return known != null ? known : byCommand.computeIfAbsent(command.name(), _ -> new CommandStats());
    }

    /** The calls of every command that was called, by name. */
    SortedMap<String, CommandStats> byCommand() {
        return new TreeMap<>(byCommand);
    }

    /** Shows every counter. */
    public void visit(CounterVisitor visitor) {
        show(visitor, "connections", "Connections accepted.", connections);
        show(visitor, "rejected_connections", "Connections refused at the limit.", rejectedConnections);
        closed(visitor, "stalled", stalledConnections);
        closed(visitor, "idle", idleConnections);
        closed(visitor, "reply_memory", shedConnections);
        show(visitor, "loop_failures", "Errors on event loops that should not happen.", loopFailures);
        show(visitor, "protocol_errors", "Connections closed over malformed input.", protocolErrors);
        show(visitor, "received_bytes", "Bytes read from clients.", bytesIn);
        show(visitor, "sent_bytes", "Bytes written to clients.", bytesOut);
        show(visitor, "commands", "Commands processed.", commands);
        show(visitor, "errors", "Commands answered with an error.", errors);
        show(visitor, "hits", "Keys that a look-up or read found.", hits);
        show(visitor, "misses", "Keys that a look-up or read did not find.", misses);
        show(visitor, "full_waits", "Writes that waited for space.", fullWaits);
        show(visitor, "refused_full", "Writes refused because the pool was full.", refusedFull);
        show(
                visitor,
                "refused_reads",
                "Reads refused because too many were under way, or their device did not answer.",
                refusedReads);
        show(visitor, "padded_misses", "Misses padded for compat lmcache-resp.", paddedMisses);
        show(visitor, "unpadded_misses", "Misses under compat lmcache-resp of unknown length.", plainMisses);
    }

    private static void closed(CounterVisitor visitor, String reason, LongAdder value) {
        visitor.counter(
                "tidemark_resp_closed_connections_total",
                "Connections closed for what they did not do.",
                value.sum(),
                "reason",
                reason);
    }

    private static void show(CounterVisitor visitor, String what, String help, LongAdder value) {
        visitor.counter("tidemark_resp_" + what + "_total", help, value.sum());
    }
}
