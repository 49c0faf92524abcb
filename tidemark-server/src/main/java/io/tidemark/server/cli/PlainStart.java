package io.tidemark.server.cli;

import io.tidemark.server.http.Json;
import java.io.PrintWriter;

/** A server from {@link PlainFlags} on. No class of picocli is touched unless something goes wrong. */
final class PlainStart {
    private PlainStart() {}

    /** Serves until the process is told to stop; answers the exit code. */
    static int run(PlainFlags flags) {
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        try {
            return Serving.run(
                    () -> flags.effective(System.getenv()),
                    flags.json() ? PlainStart::print : Serving.SAYS_NOTHING,
                    err);
        } catch (InterruptedException | RuntimeException e) {
            return Main.failed(e, err);
        }
    }

    private static void print(Serving.Ready event) {
        System.out.println(Json.write(event));
    }
}
