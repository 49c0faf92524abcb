package io.tidemark.server.cli;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.server.Shutdown;
import java.util.Objects;

/**
 * What a start takes a while for and what hangs on no setting: made by a thread of its own, while the settings are read. Who
 * needs it waits until it is made, as for every class that another thread initializes.
 */
final class Early {
    private Early() {}

    static void begin() {
        Thread.ofPlatform().daemon().name("tidemark-early").start(Early::make);
    }

    private static void make() {
        try {
            Shutdown signals = Shutdown.onSignals(); // first: until then a signal ends the JVM with a code of its own
            Objects.requireNonNull(NativeSys.INSTANCE); // the linker makes classes for the calls
            signals.prepareTimer();
        } catch (LinkageError e) {
            // Whoever needs it would hear of a class that is not there, and not why.
            System.err.println("tidemark: cannot start: " + (e.getCause() == null ? e : e.getCause()));
            Runtime.getRuntime().halt(Serving.FAILED);
        }
    }
}
