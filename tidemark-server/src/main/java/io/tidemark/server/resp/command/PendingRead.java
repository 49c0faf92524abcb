package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.ReadResult;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One read of a block, answered at once where the bytes are at hand, else when a device has brought them: no event loop
 * waits for a device. Belongs to an event loop; only {@link #accept} may be called from another thread.
 */
final class PendingRead implements Consumer<ReadResult> {
    private final Runnable wake;
    private final long endNanos;
    /** This and what follows is guarded by this. */
    private Optional<ReadResult> answer = Optional.empty();

    private boolean awaited;
    private boolean givenUp;

    /**
     * A read to be started.
     *
     * @param wake called from another thread when an answer comes that {@link #answer} did not have
     * @param endNanos monotonic time from which on {@link #giveUp} refuses the read
     */
    PendingRead(Runnable wake, long endNanos) {
        this.wake = wake;
        this.endNanos = endNanos;
    }

    @Override
    public void accept(ReadResult result) {
        boolean late;
        boolean wakes;
        synchronized (this) {
            late = givenUp;
            wakes = awaited && !late;
            answer = late ? answer : Optional.of(result);
        }
        if (late && result instanceof ReadResult.Pinned pinned) {
            pinned.close();
        }
        if (wakes) {
            wake.run();
        }
    }

    /** The answer; nothing while it is still to come. */
    synchronized Optional<ReadResult> answer() {
        awaited = answer.isEmpty();
        return answer;
    }

    /** Whether the answer is there. */
    synchronized boolean answered() {
        return answer.isPresent();
    }

    /** The bytes that came are still wanted, though nobody has taken them yet. */
    synchronized void progressed() {
        if (answer.isPresent() && answer.get() instanceof ReadResult.Pinned pinned) {
            pinned.progressed();
        }
    }

    /** Lets go of the bytes, now or when they come; nobody asks for the answer any more. */
    void cancel() {
        Optional<ReadResult> came;
        synchronized (this) {
            givenUp = true;
            came = answer;
        }
        if (came.isPresent() && came.get() instanceof ReadResult.Pinned pinned) {
            pinned.close();
        }
    }

    /** Refuses the read when its time is over by now; bytes that come later are let go. Whether it did. */
    synchronized boolean giveUp(long nowNanos) {
        if (answer.isPresent() || nowNanos - endNanos < 0) {
            return false;
        }
        givenUp = true;
        answer = Optional.of(new ReadResult.Refused(Answer.BUSY));
        return true;
    }
}
