package io.tidemark.server;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** Where a server is in its life; only ever moves forward. */
final class Lifecycle {
    /** In order. */
    enum Phase {
        STARTING,
        SERVING,
        STOPPING;

        /** For people and probes. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);

    Phase phase() {
        return phase.get();
    }

    boolean serving() {
        return phase.get() == Phase.SERVING;
    }

    /** Moves on; does nothing when the phase is there or past already. */
    void advance(Phase to) {
        phase.accumulateAndGet(to, (now, then) -> now.compareTo(then) >= 0 ? now : then);
    }
}
