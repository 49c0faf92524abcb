package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.ADMIN;
import static io.tidemark.server.resp.command.Flag.LOADING;
import static io.tidemark.server.resp.command.Flag.STALE;

import java.util.Locale;
import java.util.Set;

/** CLIENT and its subcommands. */
final class ClientCommands {
    private static final Set<Flag> FLAGS = Set.of(LOADING, STALE);

    private ClientCommands() {}

    static void addTo(CommandTable table) {
        table.add(
                "client",
                -2,
                FLAGS,
                KeyPositions.NONE,
                "Names and lists connections.",
                call -> table.runSubcommand("client", call));
        subcommand(table, "id", 2, "Returns the number of the connection.", ClientCommands::id);
        subcommand(table, "setname", 3, "Names the connection.", ClientCommands::setName);
        subcommand(table, "getname", 2, "Returns the name of the connection.", ClientCommands::getName);
        subcommand(table, "setinfo", 4, "Tells name or version of the client's library.", ClientCommands::setInfo);
        subcommand(table, "info", 2, "Describes the connection.", ClientCommands::info);
        table.add(
                "client|list",
                -2,
                Set.of(ADMIN, LOADING, STALE),
                KeyPositions.NONE,
                "Describes every connection.",
                ClientCommands::list);
        ContainerHelp.addTo(
                table,
                "client",
                FLAGS,
                "GETNAME",
                "ID",
                "INFO",
                "LIST [TYPE NORMAL]",
                "SETINFO <LIB-NAME|LIB-VER> <text>",
                "SETNAME <name>");
    }

    private static void subcommand(CommandTable table, String name, int arity, String summary, Handler handler) {
        table.add("client|" + name, arity, FLAGS, KeyPositions.NONE, summary, handler);
    }

    private static void id(Call call) {
        call.reply().integer(call.client().id());
    }

    private static void setName(Call call) {
        call.client().name(checkedName(call.text(2), "Client names"));
        call.reply().simple("OK");
    }

    /** A text that fits into CLIENT LIST: no blanks, line breaks or control characters. */
    static String checkedName(String text, String what) {
        if (text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new ReplyError("ERR " + what + " cannot contain spaces, newlines or special characters.");
        }
        return text;
    }

    private static void getName(Call call) {
        String name = call.client().name();
        if (name.isEmpty()) {
            call.reply().nil();
        } else {
            call.reply().bulk(name);
        }
    }

    private static void setInfo(Call call) {
        String attribute = call.text(2).toLowerCase(Locale.ROOT);
        switch (attribute) {
            case "lib-name" -> call.client().library(checkedName(call.text(3), attribute));
            case "lib-ver" -> call.client().libraryVersion(checkedName(call.text(3), attribute));
            default -> throw new ReplyError("ERR Unrecognized option '" + call.text(2) + "'");
        }
        call.reply().simple("OK");
    }

    private static void info(Call call) {
        call.reply().text(call.client().describe(call.environment().nowMillis()) + "\n");
    }

    /** All connections; the filter {@code TYPE normal} changes nothing, other filters are a syntax error. */
    private static void list(Call call) {
        boolean all = call.count() == 2
                || (call.count() == 4
                        && call.word(2).equals("TYPE")
                        && call.word(3).equals("NORMAL"));
        if (!all) {
            throw ReplyError.syntax();
        }
        long now = call.environment().nowMillis();
        StringBuilder lines = new StringBuilder();
        for (Client client : call.environment().clients().all()) {
            lines.append(client.describe(now)).append('\n');
        }
        call.reply().text(lines.toString());
    }
}
