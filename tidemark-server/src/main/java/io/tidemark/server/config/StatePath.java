package io.tidemark.server.config;

import java.nio.file.Path;

/** Where a server keeps its lock and sockets when nothing is said. */
public final class StatePath {
    /** The socket for Redis clients in it, where no other is given. */
    static final String REDIS_SOCKET = "redis.sock";

    private StatePath() {}

    /** {@code $XDG_STATE_HOME/tidemark}, else {@code ~/.local/state/tidemark}. */
    public static Path byDefault() {
        String base = System.getenv("XDG_STATE_HOME");
        return base == null || base.isBlank()
                ? Path.of(System.getProperty("user.home"), ".local", "state", "tidemark")
                : Path.of(base, "tidemark");
    }
}
