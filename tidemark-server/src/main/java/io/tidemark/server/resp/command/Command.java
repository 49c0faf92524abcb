package io.tidemark.server.resp.command;

import java.util.Set;

/**
 * One command, as the table holds it.
 *
 * @param name in lower case; {@code container|name} for a subcommand
 * @param arity number of arguments with the name; negative: at least so many
 * @param summary one sentence for COMMAND DOCS
 */
record Command(
        String name,
        int arity,
        Set<Flag> flags,
        KeyPositions keys,
        ValuePositions values,
        String summary,
        Handler handler) {
    Command {
        flags = Set.copyOf(flags);
    }

    /** Whether a command of {@code count} arguments is well formed as far as the count tells. */
    boolean accepts(int count) {
        return arity >= 0 ? count == arity : count >= -arity;
    }

    boolean isSubcommand() {
        return name.indexOf('|') >= 0;
    }

    boolean needsAuthentication() {
        return !flags.contains(Flag.NO_AUTH);
    }
}
