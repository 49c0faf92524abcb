package io.tidemark.server.resp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How an event loop waits: it looks for events for a moment before it sleeps, as long as that has paid lately.
 *
 * <p>A client that sends its next command as soon as it has the reply is back within microseconds; to fall asleep and to
 * be woken costs as much as to copy 64 KiB. A loop whose events come that fast polls for at most
 * {@value #POLL_NANOS} ns; each time in vain makes it less likely that it does so again, so that an idle loop, or one whose
 * clients think between commands, sleeps at once and costs nothing. Used by the loop's thread alone.
 */
final class BriefPolling {
    /** What is polled at most before a sleep. */
    private static final long POLL_NANOS = 20_000;

    /** A sleep that ended this soon, waking included, would have been worth a poll. */
    private static final long SHORT_SLEEP_NANOS = 60_000;

    private static final int SCORE_MAX = 16;

    /** From this score on it polls; a poll in vain takes more than one that paid gives. */
    private static final int SCORE_TO_POLL = 8;

    private static final int COST_OF_FAILURE = 2;

    private final Selector selector;
    private final LongSupplier nanos;
    private final Consumer<SelectionKey> dispatch;
    private long firstEventNanos;
    private boolean anyEvent;
    private int score;

    /**
     * A loop's way to wait.
     *
     * @param nanos the monotonic clock
     * @param dispatch takes each event
     */
    BriefPolling(Selector selector, LongSupplier nanos, Consumer<SelectionKey> dispatch) {
        this.selector = selector;
        this.nanos = nanos;
        this.dispatch = key -> {
            if (!anyEvent) {
                anyEvent = true;
                firstEventNanos = nanos.getAsLong();
            }
            dispatch.accept(key);
        };
    }

    /**
     * Waits for events for at most {@code timeoutMillis}, dispatches them and returns; also when the selector was woken.
     *
     * @param woken whether there is something else to do; asked after each look, as a look takes a wake-up off the selector
     */
    void select(long timeoutMillis, BooleanSupplier woken) throws IOException {
        long start = nanos.getAsLong();
        anyEvent = false;
        if (polls()) {
            do {
                selector.selectNow(dispatch);
                if (anyEvent || woken.getAsBoolean()) {
                    paid();
                    return;
                }
            } while (nanos.getAsLong() - start < POLL_NANOS);
            score -= COST_OF_FAILURE;
        }
        selector.select(dispatch, timeoutMillis);
        if (anyEvent && firstEventNanos - start < SHORT_SLEEP_NANOS) {
            paid();
        }
    }

    /** Whether it looks before it sleeps. */
    boolean polls() {
        return score >= SCORE_TO_POLL;
    }

    private void paid() {
        score = Math.min(score + 1, SCORE_MAX);
    }
}
