package io.tidemark.server.resp.command;

import java.util.Set;

/** Ends a command with an error reply; thrown before anything of the reply was written. Carries no stack. */
@SuppressWarnings("serial")
final class ReplyError extends RuntimeException {

    private final String reply;

    ReplyError(String reply) {
        super(reply, null, false, false);
        this.reply = reply;
    }

    static ReplyError syntax() {
        return new ReplyError("ERR syntax error");
    }

    static ReplyError notAnInteger() {
        return new ReplyError("ERR value is not an integer or out of range");
    }

    /** What was asked for is done, but not on record. */
    static ReplyError mayBeBack(Set<String> backends) {
        return new ReplyError("ERR deleted, but it may be back after a restart: " + String.join(", ", backends)
                + " could not write that down");
    }

    static ReplyError noSpace() {
        return new ReplyError("OOM command not allowed when used memory > 'maxmemory'.");
    }

    static ReplyError wrongArguments(String command) {
        return new ReplyError("ERR wrong number of arguments for '" + command + "' command");
    }

    static ReplyError invalidExpire(String command) {
        return new ReplyError("ERR invalid expire time in '" + command + "' command");
    }

    /** The error word and its text, without the sign. */
    String reply() {
        return reply;
    }
}
