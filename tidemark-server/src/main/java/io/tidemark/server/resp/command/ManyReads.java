package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Ranges;
import io.tidemark.core.pool.ReadResult;
import java.util.Optional;

/**
 * The values of MGET, one a step.
 *
 * <p>A value that may not be read now is never answered as missing. What the client itself has not taken yet is the
 * usual cause, so that is sent first. When that does not help, MGET is refused, or, once a part of its reply has been
 * written, the one value is: an error in its place.
 */
final class ManyReads implements Continuation {
    private final Call call;
    private int next = 1;
    /** The read of the key at {@code next}, while it waits for a device. */
    private Optional<PendingRead> pending = Optional.empty();

    ManyReads(Call call) {
        this.call = call;
    }

    @Override
    public boolean ready() {
        return pending.isEmpty() || pending.get().answered();
    }

    @Override
    public boolean giveUp(long nowNanos) {
        return pending.isPresent() && pending.get().giveUp(nowNanos);
    }

    @Override
    public Progress step() {
        PendingRead read = pending.orElseGet(() -> call.startRead(call.key(next), Ranges.WHOLE));
        Optional<ReadResult> answer = read.answer();
        pending = answer.isPresent() ? Optional.empty() : Optional.of(read);
        return answer.map(this::reply).orElse(Progress.MORE);
    }

    private Progress reply(ReadResult result) {
        if (result instanceof ReadResult.Refused && call.reply().pendingBytes() > 0) {
            return Progress.WHEN_SENT;
        }
        call.counted(result);
        if (next == 1) {
            begin(result);
        }
        switch (result) {
            case ReadResult.Missed _ -> call.reply().nil();
            case ReadResult.Refused _ -> call.reply().error(Call.notNow().reply());
            case ReadResult.Pinned pinned -> call.replyValue(pinned);
        }
        return ++next == call.count() ? Progress.DONE : Progress.MORE;
    }

    private void begin(ReadResult first) {
        if (first instanceof ReadResult.Refused) {
            throw Call.notNow();
        }
        call.reply().array(call.count() - 1);
    }
}
