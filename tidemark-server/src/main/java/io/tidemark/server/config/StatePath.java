package io.tidemark.server.config;

import io.tidemark.server.machine.PathText;
import java.nio.file.Path;

/** Where a server keeps its lock and sockets when nothing is said. */
public final class StatePath {
    /** The socket for Redis clients in it, where no other is given. */
    static final String REDIS_SOCKET = "redis.sock";

    /** Where nothing is written: in place of a state directory that was not understood. */
    static final Path STAND_IN = Path.of("/state");

    private static final String VARIABLE = "XDG_STATE_HOME";
    private static final String NAME = "tidemark";

    private StatePath() {}

    /**
     * {@code $XDG_STATE_HOME/tidemark}, else {@code ~/.local/state/tidemark}.
     *
     * @throws IllegalArgumentException when that is no path; says which and what was expected
     */
    public static Path byDefault() {
        String base = System.getenv(VARIABLE);
        return base == null || base.isBlank()
                ? read("the home directory", System.getProperty("user.home")).resolve(Path.of(".local", "state", NAME))
                : read("variable " + VARIABLE, base).resolve(NAME);
    }

    private static Path read(String what, String text) {
        try {
            return PathText.read(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
        }
    }
}
