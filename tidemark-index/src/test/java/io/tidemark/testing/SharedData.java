package io.tidemark.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Finds the shared data (specs, golden files, traces) that some tests read; without it they skip by name. */
public final class SharedData {
    private SharedData() {}

    /**
     * The path of a shared file or folder.
     *
     * @param name relative to the shared folder, for example {@code traces/conversation_trace.jsonl.gz}
     */
    public static Path require(String name) {
        Path path = root().resolve(name);
        Assumptions.assumeTrue(
                Files.exists(path), () -> "shared data missing: " + path + " (set TIDEMARK_SHARED to its folder)");
        return path;
    }

    private static Path root() {
        String given = System.getenv("TIDEMARK_SHARED");
        if (given != null && !given.isBlank()) {
            return Path.of(given);
        }
        String project = System.getenv("TIDEMARK_ROOT");
        Path base = project == null ? Path.of("").toAbsolutePath() : Path.of(project);
        return base.resolveSibling("shared");
    }
}
