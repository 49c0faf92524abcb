package io.tidemark.core.pool;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Hands one answer of a read to the thread that waits for it; a pin that comes too late is closed. */
final class Handoff implements Consumer<ReadResult> {
    private Optional<ReadResult> answer = Optional.empty();
    private boolean abandoned = false;

    @Override
    public void accept(ReadResult result) {
        boolean late;
        synchronized (this) {
            late = abandoned;
            answer = Optional.of(result);
            notifyAll();
        }
        if (late && result instanceof ReadPin pin) {
            pin.close();
        }
    }

    /** The answer, or BUSY when it does not come in time, and FAILED when the thread is interrupted. */
    synchronized ReadResult await(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (answer.isEmpty()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                abandoned = true;
                return new ReadResult.Refused(Answer.BUSY);
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                abandoned = true;
                return new ReadResult.Refused(Answer.FAILED);
            }
        }
        return answer.get();
    }
}
