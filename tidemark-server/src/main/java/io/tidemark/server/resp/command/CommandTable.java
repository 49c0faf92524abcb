package io.tidemark.server.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Every command by name; filled once, then read only. */
final class CommandTable {
    private static final int MAX_NAME_BYTES = 64;
    private static final String OWN = "tidemark";
    private static final String OWN_PREFIX = "tm.";
    private static final CommandTable STANDARD = standard();

    private final Map<String, Command> byName = new LinkedHashMap<>();
    private final Map<String, String> groups = new HashMap<>();

    /** The commands of this server. */
    static CommandTable get() {
        return STANDARD;
    }

    private static CommandTable standard() {
        CommandTable table = new CommandTable();
        table.addFamily("string", StringReads::addTo);
        table.addFamily("string", StringWrites::addTo);
        table.addFamily("generic", Keyspace::addTo);
        table.addFamily("generic", Expiries::addTo);
        table.addFamily("connection", ConnectionCommands::addTo);
        table.addFamily("connection", ClientCommands::addTo);
        table.addFamily("server", Introspection::addTo);
        table.addFamily("server", InfoCommand::addTo);
        table.addFamily(OWN, TidemarkCommands::addTo);
        table.addFamily(OWN, EvictCommand::addTo);
        table.addFamily("string", RangeReads::addTo);
        return table;
    }

    private void addFamily(String group, Consumer<CommandTable> family) {
        Set<String> before = Set.copyOf(byName.keySet());
        family.accept(this);
        for (String name : byName.keySet()) {
            if (!before.contains(name)) {
                groups.put(name, name.startsWith(OWN_PREFIX) ? OWN : group);
            }
        }
    }

    void add(Command command) {
        if (byName.put(command.name(), command) != null) {
            throw new IllegalStateException("command '" + command.name() + "' twice");
        }
    }

    /** Adds a command that takes no value. */
    void add(String name, int arity, Set<Flag> flags, KeyPositions keys, String summary, Handler handler) {
        add(new Command(name, arity, flags, keys, ValuePositions.NONE, summary, handler));
    }

    /** The command that a client means with its first word, in any case; a subcommand is none. */
    Optional<Command> find(byte[] name) {
        return name.length > MAX_NAME_BYTES
                ? Optional.empty()
                : find(new String(name, ISO_8859_1)).filter(command -> !command.isSubcommand());
    }

    /** The command of this name in any case; {@code container|name} for a subcommand. */
    Optional<Command> find(String name) {
        return Optional.ofNullable(byName.get(name.toLowerCase(Locale.ROOT)));
    }

    /** Commands in the order of their families, without subcommands. */
    Collection<Command> all() {
        return byName.values().stream()
                .filter(command -> !command.isSubcommand())
                .toList();
    }

    /** The group of a command, as {@code redis-cli help @GROUP} asks for it; those of Redis have its names. */
    String group(Command command) {
        return groups.getOrDefault(command.name(), OWN);
    }

    /** Subcommands of a container. */
    Collection<Command> subcommands(String container) {
        return byName.values().stream()
                .filter(command -> command.name().startsWith(container + "|"))
                .toList();
    }

    /** Runs the subcommand that argument 1 names, after a look at its arity. */
    void runSubcommand(String container, Call call) {
        Command subcommand = find(container + "|" + call.text(1))
                .orElseThrow(() -> new ReplyError("ERR unknown subcommand '" + call.text(1) + "'. Try "
                        + container.toUpperCase(Locale.ROOT) + " HELP."));
        if (!subcommand.accepts(call.count())) {
            throw ReplyError.wrongArguments(subcommand.name());
        }
        subcommand.handler().run(call);
    }
}
