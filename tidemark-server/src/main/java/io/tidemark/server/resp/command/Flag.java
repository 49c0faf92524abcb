package io.tidemark.server.resp.command;

import java.util.Locale;

/** What a command is, in Redis's words. */
enum Flag {
    WRITE,
    READONLY,
    DENYOOM,
    ADMIN,
    FAST,
    LOADING,
    STALE,
    /** May be sent before AUTH. */
    NO_AUTH;

    /** Name as COMMAND shows it. */
    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
