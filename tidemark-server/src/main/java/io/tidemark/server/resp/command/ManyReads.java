package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Ranges;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.server.resp.protocol.Held;
import java.util.Optional;

/**
 * The values of MGET, one a step, in order. While one waits for its device, those after it are read already.
 *
 * <p>A value that may not be read now is never answered as missing. What the client itself has not taken yet, or what was
 * read ahead for it, is the usual cause, so that is sent or let go of first. When that does not help, MGET is refused, or,
 * once a part of its reply has been written, the one value is: an error in its place.
 */
final class ManyReads implements Continuation {
    private final Call call;
    private final ReadsAhead ahead;
    private final BatchOrder order;
    private int next = 1;
    /** The read of the key at {@code next}, while it waits for a device. */
    private Optional<PendingRead> pending = Optional.empty();
    /** Of a long command, once its reply has left. */
    private Optional<ChainOrder> last = Optional.empty();

    ManyReads(Call call) {
        this.call = call;
        ahead = new ReadsAhead(call);
        order = new BatchOrder(call);
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
        if (last.isPresent()) {
            return last.get().step() ? Progress.MORE : Progress.DONE;
        }
        Optional<PendingRead> early = ahead.take(next);
        PendingRead read = pending.or(() -> early).orElseGet(() -> call.startRead(call.key(next), Ranges.WHOLE));
        Optional<ReadResult> answer = read.answer();
        pending = answer.isPresent() ? Optional.empty() : Optional.of(read);
        if (answer.isEmpty() || early.isPresent()) {
            ahead.goOn(next);
        }
        return answer.map(result -> reply(result, early.isPresent())).orElse(Progress.MORE);
    }

    private Progress reply(ReadResult result, boolean early) {
        if (result instanceof ReadResult.Refused) {
            boolean crowded = ahead.end() || early;
            if (call.reply().pendingBytes() > 0) {
                return Progress.WHEN_SENT;
            }
            if (crowded) {
                return Progress.MORE;
            }
        }
        call.counted(result);
        call.uses().read(call.key(next), result);
        if (next == 1) {
            begin(result);
        }
        switch (result) {
            case ReadResult.Missed _ -> call.reply().nil();
            case ReadResult.Refused _ -> call.reply().error(Call.notNow().reply());
            case ReadResult.Pinned pinned -> {
                order.took(call.key(next));
                call.replyBytes(
                        pinned.bytes(), pinned.segments(), new Sent(new Call.PinnedValue(pinned), ahead, order));
            }
        }
        if (++next < call.count()) {
            return Progress.MORE;
        }
        if (order.isLong()) {
            last = Optional.of(order.order());
            return Progress.WHEN_SENT;
        }
        order.released();
        return Progress.DONE;
    }

    private void begin(ReadResult first) {
        if (first instanceof ReadResult.Refused) {
            throw Call.notNow();
        }
        call.reply().array(call.count() - 1);
    }

    /** A value that is being sent, and those that wait for it. */
    private record Sent(Held value, ReadsAhead after, BatchOrder order) implements Held {
        @Override
        public void progressed() {
            value.progressed();
            after.progressed();
        }

        @Override
        public void close() {
            value.close();
            order.released();
        }
    }
}
