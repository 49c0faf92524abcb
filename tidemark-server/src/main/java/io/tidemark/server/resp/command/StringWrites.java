package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.DENYOOM;
import static io.tidemark.server.resp.command.Flag.FAST;
import static io.tidemark.server.resp.command.Flag.WRITE;

import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.PutMode;
import io.tidemark.core.pool.ReadResult;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** SET and its older forms, MSET. */
final class StringWrites {
    private static final Set<Flag> FLAGS = Set.of(WRITE, DENYOOM);
    private static final Set<Flag> FAST_FLAGS = Set.of(WRITE, DENYOOM, FAST);

    /** Values of MSET that are published before others get a turn. */
    private static final int VALUES_PER_STEP = 16;

    private StringWrites() {}

    static void addTo(CommandTable table) {
        table.add(write("set", -3, FLAGS, ValuePositions.AFTER_KEY, "Sets the value of a key.", StringWrites::set));
        table.add(write(
                "setnx",
                3,
                FAST_FLAGS,
                ValuePositions.AFTER_KEY_IF_ABSENT,
                "Sets the value of a key that has none.",
                StringWrites::setnx));
        table.add(write(
                "setex",
                4,
                FLAGS,
                ValuePositions.AFTER_TTL,
                "Sets a value and its time to live in seconds.",
                call -> setWithTtl(call, "setex", ExpireTime.Unit.EX)));
        table.add(write(
                "psetex",
                4,
                FLAGS,
                ValuePositions.AFTER_TTL,
                "Sets a value and its time to live in milliseconds.",
                call -> setWithTtl(call, "psetex", ExpireTime.Unit.PX)));
        table.add(new Command(
                "mset",
                -3,
                FLAGS,
                KeyPositions.PAIRS,
                ValuePositions.PAIRS,
                "Sets the values of keys, one after another.",
                StringWrites::mset));
    }

    private static Command write(
            String name, int arity, Set<Flag> flags, ValuePositions values, String summary, Handler handler) {
        return new Command(name, arity, flags, KeyPositions.FIRST, values, summary, handler);
    }

    private static void set(Call call) {
        SetOptions options = SetOptions.parse(call);
        IncomingValue value = call.values().getFirst();
        OptionalLong ttlMillis = options.keepTtl() ? remaining(call, value.key()) : options.ttlMillis();
        if (!options.returnOld()) {
            switch (commit(call, value, ttlMillis, options.mode())) {
                case STORED -> call.reply().simple("OK");
                default -> call.reply().nil();
            }
            return;
        }
        call.read(value.key(), old -> replace(call, old, ttlMillis, options.mode()));
    }

    /** Stores the value, and replies with the one before it. */
    private static void replace(Call call, ReadResult old, OptionalLong ttlMillis, PutMode mode) {
        if (old instanceof ReadResult.Refused) {
            throw Call.notNow(); // the value is there: it must neither be answered as missing nor be overwritten
        }
        try {
            commit(call, call.values().getFirst(), ttlMillis, mode);
        } catch (ReplyError e) {
            release(old);
            throw e;
        }
        if (old instanceof ReadResult.Pinned pinned) {
            call.replyValue(pinned);
        } else {
            call.reply().nil();
        }
    }

    private static void release(ReadResult old) {
        if (old instanceof ReadResult.Pinned pinned) {
            pinned.close();
        }
    }

    private static OptionalLong remaining(Call call, BlockKey key) {
        long millis = call.pool().ttlMillis(key);
        return millis > 0 ? OptionalLong.of(millis) : OptionalLong.empty();
    }

    /** STORED, or EXISTS or MISS where the condition of {@code mode} did not hold; every other answer is an error. */
    private static Answer commit(Call call, IncomingValue value, OptionalLong ttlMillis, PutMode mode) {
        boolean past = ttlMillis.isPresent() && ttlMillis.getAsLong() <= 0;
        OptionalLong hint = past ? OptionalLong.empty() : ttlMillis;
        PutHints hints = new PutHints(Optional.empty(), -1, false, 0, hint);
        Answer answer = stored(value.commit(hints, mode));
        if (past && answer == Answer.STORED) {
            call.pool().expireAfter(value.key(), 0);
        }
        return answer;
    }

    /** Passes STORED, EXISTS and MISS; throws the error reply of every other answer. */
    static Answer stored(Answer answer) {
        return switch (answer) {
            case STORED, EXISTS, MISS -> answer;
            case NO_SPACE -> throw ReplyError.noSpace();
            case TOO_LARGE -> throw new ReplyError("ERR value is larger than the pool can hold");
            case BUSY -> throw new ReplyError("TRYAGAIN another writer holds the key, try again");
            case FAILED ->
                throw new ReplyError("ERR the value could not be stored; it took too long or its tier failed");
        };
    }

    private static void setnx(Call call) {
        IncomingValue value = call.values().getFirst();
        Answer answer = commit(call, value, OptionalLong.empty(), PutMode.REPLACE_IF_ABSENT);
        call.reply().integer(answer == Answer.STORED ? 1 : 0);
    }

    private static void setWithTtl(Call call, String name, ExpireTime.Unit unit) {
        long ttlMillis = ExpireTime.millis(call, name, 2, unit);
        commit(call, call.values().getFirst(), OptionalLong.of(ttlMillis), PutMode.REPLACE);
        call.reply().simple("OK");
    }

    /** Every value has its space before the first is published, so that a full pool leaves all keys as they were. */
    private static void mset(Call call) {
        if (call.count() % 2 == 0) {
            throw ReplyError.wrongArguments("mset");
        }
        Iterator<IncomingValue> values = call.values().iterator();
        call.leave(() -> {
            for (int i = 0; i < VALUES_PER_STEP && values.hasNext(); i++) {
                commit(call, values.next(), OptionalLong.empty(), PutMode.REPLACE);
            }
            if (values.hasNext()) {
                return Continuation.Progress.MORE;
            }
            call.reply().simple("OK");
            return Continuation.Progress.DONE;
        });
    }
}
