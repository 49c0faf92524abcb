package io.tidemark.server.resp.command;

/**
 * A part of a command that takes long or waits, and so runs on a thread for such work instead of the event loop.
 *
 * <p>{@code work} touches the pool only, neither the session nor the reply; whatever it writes is seen by the event
 * loop once it is {@link #ready}.
 */
final class Job implements Continuation {
    private final Runnable work;
    private final Runnable reply;
    private volatile boolean done;
    private volatile boolean failed;

    Job(Runnable work, Runnable reply) {
        this.work = work;
        this.reply = reply;
    }

    /** Does the work, then tells with {@code wake}; on a thread of {@link Jobs}. */
    void run(Runnable wake) {
        failed = true;
        try {
            work.run();
            failed = false;
        } finally {
            done = true;
            wake.run();
        }
    }

    @Override
    public boolean ready() {
        return done;
    }

    /** Writes the reply; on the event loop, once the work is done. Throws when it failed. */
    @Override
    public Progress step() {
        if (failed) {
            throw new ReplyError("ERR the command failed; see the log of the server");
        }
        reply.run();
        return Progress.DONE;
    }
}
