package io.tidemark.server.resp;

import java.util.concurrent.Executor;

/** A task of a loop that waits in its queue once at most, however often it is asked for. For the loop's thread alone. */
final class PendingOnce {
    private final Runnable task;
    private final Executor queue;
    private boolean pending;

    PendingOnce(Runnable task, Executor queue) {
        this.task = task;
        this.queue = queue;
    }

    /** Has the task run soon, once for all calls until then. */
    void post() {
        if (!pending) {
            pending = true;
            queue.execute(this::run);
        }
    }

    private void run() {
        pending = false;
        task.run();
    }
}
