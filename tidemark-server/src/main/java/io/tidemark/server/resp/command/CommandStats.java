package io.tidemark.server.resp.command;

import java.util.concurrent.atomic.LongAdder;

/** What became of the calls of one command. Any thread may add. */
final class CommandStats {
    private final LongAdder calls = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /** It ran on the event loop for so long; waiting for devices and for the client is not counted. */
    void ran(long elapsedNanos, boolean ended) {
        calls.increment();
        nanos.add(elapsedNanos);
        if (!ended) {
            failed.increment();
        }
    }

    /** It was refused before it ran. */
    void rejected() {
        rejected.increment();
    }

    /** A step after the first failed. */
    void failedLater() {
        failed.increment();
    }

    /** As a line of INFO commandstats has it. */
    @Override
    public String toString() {
        long called = calls.sum();
        long micros = nanos.sum() / 1_000;
        return "calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d"
                .formatted(
                        called,
                        micros,
                        called == 0 ? 0.0 : nanos.sum() / 1_000.0 / called,
                        rejected.sum(),
                        failed.sum());
    }
}
