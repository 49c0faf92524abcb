package io.tidemark.server.resp.command;

import io.tidemark.server.resp.protocol.ReplyWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The subcommand HELP of a command that has subcommands: lines for people, in the form that redis-cli shows as they are. */
final class ContainerHelp {
    private static final String NAME = "help";

    private ContainerHelp() {}

    /**
     * Adds it.
     *
     * @param usages of each other subcommand, its name first: {@code GET <pattern> [<pattern> ...]}
     */
    static void addTo(CommandTable table, String container, Set<Flag> flags, String... usages) {
        List<String> lines = new ArrayList<>();
        lines.add(container.toUpperCase(Locale.ROOT) + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        for (String usage : usages) {
            String name = container + "|" + usage.split(" ", 2)[0].toLowerCase(Locale.ROOT);
            Command subcommand = table.find(name).orElseThrow(() -> new IllegalStateException("no subcommand " + name));
            lines.add(usage);
            lines.add("    " + subcommand.summary());
        }
        String summary = "Shows the subcommands.";
        lines.add(NAME.toUpperCase(Locale.ROOT));
        lines.add("    " + summary);
        table.add(container + "|" + NAME, 2, flags, KeyPositions.NONE, summary, call -> show(lines, call.reply()));
    }

    private static void show(List<String> lines, ReplyWriter reply) {
        reply.array(lines.size());
        lines.forEach(reply::simple);
    }
}
