package io.tidemark.server.resp.command;

import io.tidemark.core.pool.ReadResult;
import java.util.function.Consumer;

/** The end of a command that waits for its one read. */
record AwaitedRead(PendingRead read, Consumer<ReadResult> then) implements Continuation {
    @Override
    public boolean ready() {
        return read.answered();
    }

    @Override
    public boolean giveUp(long nowNanos) {
        return read.giveUp(nowNanos);
    }

    @Override
    public Progress step() {
        then.accept(read.answer().orElseThrow());
        return Progress.DONE;
    }
}
