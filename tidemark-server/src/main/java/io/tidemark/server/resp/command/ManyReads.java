package io.tidemark.server.resp.command;

import io.tidemark.core.pool.ReadResult;

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

    ManyReads(Call call) {
        this.call = call;
    }

    @Override
    public Progress step() {
        ReadResult result = call.read(call.key(next));
        if (result instanceof ReadResult.Refused && call.reply().pendingBytes() > 0) {
            return Progress.WHEN_SENT;
        }
        if (next == 1) {
            begin(result);
        }
        switch (result) {
            case ReadResult.Missed _ -> call.reply().nil();
            case ReadResult.Refused _ -> call.reply().error(Call.pinsAtCap().reply());
            case ReadResult.Pinned pinned -> call.replyValue(pinned);
        }
        return ++next == call.count() ? Progress.DONE : Progress.MORE;
    }

    private void begin(ReadResult first) {
        if (first instanceof ReadResult.Refused) {
            throw Call.pinsAtCap();
        }
        call.reply().array(call.count() - 1);
    }
}
