package io.tidemark.server.cli;

import io.tidemark.server.http.PlainJson;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Consumer;

/** A server from {@link PlainFlags} on. No class of picocli is touched unless something goes wrong. */
final class PlainStart {
    static final Consumer<Serving.Ready> TELLS_JSON = event -> System.out.println(PlainJson.write(event));

    private PlainStart() {}

    /** Serves until the process is told to stop; answers the exit code. */
    static int run(PlainFlags flags) {
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        try {
            return Serving.run(source(flags, System.getenv()), flags.json() ? TELLS_JSON : Serving.SAYS_NOTHING, err);
        } catch (InterruptedException | RuntimeException e) {
            return Failures.tell(e, err);
        }
    }

    static Serving.Source source(PlainFlags flags, Map<String, String> environment) {
        return () -> flags.effective(environment);
    }
}
