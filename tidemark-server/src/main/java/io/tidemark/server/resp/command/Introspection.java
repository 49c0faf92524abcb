package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.ADMIN;
import static io.tidemark.server.resp.command.Flag.LOADING;
import static io.tidemark.server.resp.command.Flag.STALE;

import io.tidemark.server.resp.protocol.ReplyWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** COMMAND and CONFIG GET. */
final class Introspection {
    private static final Set<Flag> FLAGS = Set.of(LOADING, STALE);

    private Introspection() {}

    static void addTo(CommandTable table) {
        KeyPositions none = KeyPositions.NONE;
        table.add("command", -1, FLAGS, none, "Describes the commands.", call -> command(table, call));
        table.add(
                "command|count",
                2,
                FLAGS,
                none,
                "Counts the commands.",
                call -> call.reply().integer(table.all().size()));
        table.add("command|docs", -2, FLAGS, none, "Documents commands.", call -> docs(table, call));
        table.add("command|info", -2, FLAGS, none, "Describes commands.", call -> infos(table, call));
        table.add(
                "config",
                -2,
                Set.of(ADMIN, LOADING, STALE),
                none,
                "Shows the configuration.",
                call -> table.runSubcommand("config", call));
        table.add(
                "config|get",
                -3,
                Set.of(ADMIN, LOADING, STALE),
                none,
                "Shows settings that match patterns.",
                Introspection::configGet);
        ContainerHelp.addTo(table, "command", FLAGS, "COUNT", "DOCS [<command-name> ...]", "INFO [<command-name> ...]");
        ContainerHelp.addTo(table, "config", Set.of(LOADING, STALE), "GET <pattern> [<pattern> ...]");
    }

    private static void command(CommandTable table, Call call) {
        if (call.count() > 1) {
            table.runSubcommand("command", call);
            return;
        }
        Collection<Command> all = table.all();
        call.reply().array(all.size());
        all.forEach(command -> describe(table, command, call.reply()));
    }

    private static void infos(CommandTable table, Call call) {
        List<String> names = names(table, call);
        call.reply().array(names.size());
        for (String name : names) {
            Optional<Command> command = table.find(name);
            if (command.isPresent()) {
                describe(table, command.get(), call.reply());
            } else {
                call.reply().nil();
            }
        }
    }

    private static List<String> names(CommandTable table, Call call) {
        return call.count() == 2
                ? table.all().stream().map(Command::name).toList()
                : IntStream.range(2, call.count()).mapToObj(call::text).toList();
    }

    /** The ten fields of a command; categories, tips and key specifications are empty. */
    private static void describe(CommandTable table, Command command, ReplyWriter reply) {
        reply.array(10);
        reply.bulk(command.name());
        reply.integer(command.arity());
        reply.set(command.flags().size());
        command.flags().stream().sorted().forEach(flag -> reply.simple(flag.wireName()));
        reply.integer(command.keys().first());
        reply.integer(command.keys().last());
        reply.integer(command.keys().step());
        reply.set(0);
        reply.array(0);
        reply.array(0);
        Collection<Command> subcommands = table.subcommands(command.name());
        reply.array(subcommands.size());
        subcommands.forEach(subcommand -> describe(table, subcommand, reply));
    }

    private static void docs(CommandTable table, Call call) {
        List<Command> known = names(table, call).stream()
                .map(table::find)
                .flatMap(Optional::stream)
                .toList();
        document(table, known, call);
    }

    /** The fields that redis-cli goes by; it takes {@code group} to be there. */
    private static void document(CommandTable table, Collection<Command> commands, Call call) {
        ReplyWriter reply = call.reply();
        reply.map(commands.size());
        for (Command command : commands) {
            Collection<Command> subcommands = table.subcommands(command.name());
            reply.bulk(command.name());
            reply.map(subcommands.isEmpty() ? 3 : 4);
            reply.bulk("summary");
            reply.bulk(command.summary());
            reply.bulk("since");
            reply.bulk(call.environment().facts().version());
            reply.bulk("group");
            reply.bulk(table.group(command));
            if (!subcommands.isEmpty()) {
                reply.bulk("subcommands");
                document(table, subcommands, call);
            }
        }
    }

    private static void configGet(Call call) {
        Map<String, String> found = new TreeMap<>();
        Map<String, String> settings = settings(call);
        for (int i = 2; i < call.count(); i++) {
            Glob pattern = new Glob(lowerCase(call.argument(i)));
            settings.forEach((name, value) -> {
                if (pattern.matches(name.getBytes(StandardCharsets.US_ASCII))) {
                    found.put(name, value);
                }
            });
        }
        call.reply().map(found.size());
        found.forEach((name, value) -> {
            call.reply().bulk(name);
            call.reply().bulk(value);
        });
    }

    private static byte[] lowerCase(byte[] text) {
        byte[] out = text.clone();
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) (out[i] >= 'A' && out[i] <= 'Z' ? out[i] + 32 : out[i]);
        }
        return out;
    }

    private static Map<String, String> settings(Call call) {
        Map<String, String> settings = new TreeMap<>(call.environment().facts().config());
        settings.put("maxmemory", Long.toString(PoolFigures.of(call.pool()).capacityBytes()));
        settings.put("databases", "1");
        settings.put("appendonly", "no");
        settings.put("save", "");
        return settings;
    }
}
