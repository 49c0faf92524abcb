package io.tidemark.server.resp.command;

import java.util.function.IntPredicate;

/** Goes over the keys of a command, some in each step, and replies with how many of them counted. */
final class KeyCount implements Continuation {
    private static final int KEYS_PER_STEP = 16;

    private final Call call;
    private final IntPredicate counted;
    private int next = 1;
    private long count;

    /** Asks {@code counted} once for the index of each key, in order. */
    KeyCount(Call call, IntPredicate counted) {
        this.call = call;
        this.counted = counted;
    }

    @Override
    public Progress step() {
        int end = Math.min(call.count(), next + KEYS_PER_STEP);
        for (; next < end; next++) {
            count += counted.test(next) ? 1 : 0;
        }
        if (next < call.count()) {
            return Progress.MORE;
        }
        call.reply().integer(count);
        return Progress.DONE;
    }
}
