package io.tidemark.server.volume;

import io.tidemark.server.machine.ExitTimer;
import io.tidemark.server.machine.Signals;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns SIGTERM, SIGINT and SIGHUP into an end of the process {@code tidemark volume} with exit code 0, within two seconds
 * whatever hangs: the first one stops the service, if there is one by then, a second one ends the process at once.
 */
public final class EndSignals {
    /** Later than a service that has left a stuck role behind; a timer of the kernel, for the JVM may not end. */
    private static final long LAST_MILLIS = 1_850;

    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile Runnable stop = () -> {};
    private volatile Optional<ExitTimer> last = Optional.empty();

    private EndSignals() {}

    private static final class OfThisProcess {
        static final EndSignals SIGNALS = new EndSignals();

        static {
            List.of("TERM", "INT", "HUP").forEach(name -> Signals.listen(name, SIGNALS::signalled));
        }
    }

    /** Of this process, whose signals are listened to from the first call on. */
    public static EndSignals listen() {
        return OfThisProcess.SIGNALS;
    }

    /** What a signal stops from now on; the process ends when it has returned. */
    void stopBy(Runnable service) {
        last = ExitTimer.make();
        stop = service;
    }

    private void signalled() {
        try {
            if (!asked.getAndSet(true)) {
                last.ifPresent(timer -> timer.endIn(LAST_MILLIS));
                stop.run();
            }
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }
}
