package io.tidemark.server.cli;

import io.tidemark.server.Shutdown;
import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.http.Json;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Consumer;

/** A server from {@link PlainFlags} on. No class of picocli is touched unless something goes wrong. */
record PlainStart(Serving serving) {
    /** Empty where the settings are wrong: picocli's way says how. */
    static Optional<PlainStart> of(PlainFlags flags) {
        try {
            Effective effective = flags.effective(System.getenv());
            Consumer<Serving.Ready> ready = flags.json() ? PlainStart::print : Serving.SAYS_NOTHING;
            return Optional.of(new PlainStart(new Serving(effective, effective.config(), ready)));
        } catch (ConfigException _) {
            return Optional.empty();
        }
    }

    private static void print(Serving.Ready event) {
        System.out.println(Json.write(event));
    }

    /** Serves until the process is told to stop; answers the exit code. */
    int run() {
        try {
            return serving.run(Shutdown.onSignals());
        } catch (InterruptedException | RuntimeException e) {
            return Main.failed(e, new PrintWriter(System.err, true, System.err.charset()));
        }
    }
}
