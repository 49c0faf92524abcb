package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.DENYOOM;
import static io.tidemark.server.resp.command.Flag.FAST;
import static io.tidemark.server.resp.command.Flag.WRITE;

import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Ends;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.PutMode;
import io.tidemark.core.pool.Ranges;
import io.tidemark.core.pool.ReadResult;
import io.tidemark.core.pool.Reserved;
import io.tidemark.core.pool.Unsettled;
import io.tidemark.server.resp.command.Publication.Published;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** SET and its older forms, MSET. */
final class StringWrites {
    private static final Set<Flag> FLAGS = Set.of(WRITE, DENYOOM);
    private static final Set<Flag> FAST_FLAGS = Set.of(WRITE, DENYOOM, FAST);

    /** Values of MSET that appear at one moment, and are published before others get a turn. */
    private static final int GROUP = 1_024;

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
                "Sets the values of keys, all at one moment.",
                StringWrites::mset));
    }

    private static Command write(
            String name, int arity, Set<Flag> flags, ValuePositions values, String summary, Handler handler) {
        return new Command(name, arity, flags, KeyPositions.FIRST, values, summary, handler);
    }

    private static void set(Call call) {
        SetOptions options = SetOptions.parse(call);
        IncomingValue value = call.values().getFirst();
        call.uses().put(value, hints(options));
        if (options.returnOld()) {
            PendingRead before = call.startRead(value.key(), Ranges.WHOLE);
            call.await(before, seen -> exchange(call, value, options, call.counted(seen)));
            return;
        }
        Publication.runTelling(
                call,
                List.of(value.key()),
                ends -> publish(options, ends, rest -> value.commit(hints(options), options.mode(), rest)),
                published -> ok(call, toldIfPast(options, published) == Answer.STORED));
    }

    private static void ok(Call call, boolean stored) {
        if (stored) {
            call.reply().simple("OK");
        } else {
            call.reply().nil();
        }
    }

    /**
     * Stores the value and replies with the one before it, in one step. That one was read first, so that a value that
     * cannot be read now is known before anything is stored: it must neither be answered as missing nor be overwritten.
     */
    private static void exchange(Call call, IncomingValue value, SetOptions options, ReadResult seen) {
        if (seen instanceof ReadResult.Refused) {
            throw Call.notNow();
        }
        PendingRead old = call.newRead();
        Publication.runTelling(
                call,
                List.of(value.key()),
                ends -> publish(options, ends, rest -> value.exchange(hints(options), options.mode(), seen, old, rest)),
                published -> {
                    try {
                        toldIfPast(options, published);
                    } catch (ReplyError e) {
                        old.cancel(); // nobody is going to take it
                        throw e;
                    }
                    call.await(old, result -> replyOld(call, result));
                });
    }

    private static void replyOld(Call call, ReadResult old) {
        switch (old) {
            case ReadResult.Missed _ -> call.reply().nil();
            case ReadResult.Refused _ ->
                throw new ReplyError("ERR the value was stored, but the one before it cannot be read now");
            case ReadResult.Pinned pinned -> call.replyValue(pinned);
        }
    }

    private static PutHints hints(SetOptions options) {
        PutHints hints = new PutHints(Optional.empty(), false, 0, options.lifeMillis());
        return options.keepTtl() ? hints.keepingLife() : hints;
    }

    /** A time that is past only deletes: from where that may be back is collected, and told by {@link #toldIfPast}. */
    private static Published publish(SetOptions options, Ends ends, Function<Ends, Answer> publish) {
        if (!options.isPast()) {
            return new Published(publish.apply(ends), Set.of());
        }
        List<Unsettled> rest = new ArrayList<>(1);
        Answer answer = publish.apply(Ends.leftTo(rest::add));
        Set<String> unwritten = new TreeSet<>();
        rest.forEach(one -> unwritten.addAll(ends.settle(one)));
        return new Published(answer, unwritten);
    }

    /** A write that only deleted is answered as DEL: nothing newer keeps an older value from coming back. */
    private static Answer toldIfPast(SetOptions options, Published published) {
        Answer answer = stored(published.answer());
        if (answer == Answer.STORED
                && options.isPast()
                && !published.unwritten().isEmpty()) {
            throw ReplyError.mayBeBack(published.unwritten());
        }
        return answer;
    }

    /** Passes STORED, EXISTS and MISS; throws the error reply of every other answer. */
    static Answer stored(Answer answer) {
        return switch (answer) {
            case STORED, EXISTS, MISS -> answer;
            case NO_SPACE, TOO_LARGE, BUSY, FAILED -> throw refused(answer);
        };
    }

    private static ReplyError refused(Answer answer) {
        return switch (answer) {
            case NO_SPACE -> ReplyError.noSpace();
            case TOO_LARGE -> new ReplyError("ERR value is larger than the pool can hold");
            case BUSY -> Call.notNow();
            case STORED, EXISTS, MISS, FAILED ->
                new ReplyError("ERR the value could not be stored; it took too long or its tier failed");
        };
    }

    private static void setnx(Call call) {
        SetOptions options = SetOptions.of(PutMode.REPLACE_IF_ABSENT, OptionalLong.empty());
        IncomingValue value = call.values().getFirst();
        call.uses().put(value, hints(options));
        createThen(
                call,
                value,
                ends -> value.commit(hints(options), options.mode(), ends),
                answer -> call.reply().integer(answer == Answer.STORED ? 1 : 0));
    }

    /** Stores a value that is missing. What it takes the place of has expired, or is on a device that is out of use. */
    static void createThen(Call call, IncomingValue value, Function<Ends, Answer> publish, Consumer<Answer> then) {
        List<BlockKey> changed = value.reservation().isPresent() ? List.of(value.key()) : List.of();
        Publication.run(call, changed, publish, answer -> then.accept(stored(answer)));
    }

    private static void setWithTtl(Call call, String name, ExpireTime.Unit unit) {
        long ttlMillis = ExpireTime.millis(call, name, 2, unit);
        IncomingValue value = call.values().getFirst();
        SetOptions options = SetOptions.of(PutMode.REPLACE, OptionalLong.of(ttlMillis));
        call.uses().put(value, hints(options));
        Publication.run(
                call,
                List.of(value.key()),
                ends -> value.commit(hints(options), options.mode(), ends),
                answer -> ok(call, stored(answer) == Answer.STORED));
    }

    /**
     * Every value has its space before the first is published, and all appear at one moment; beyond {@value #GROUP}
     * values, so many at a time.
     */
    private static void mset(Call call) {
        if (call.count() % 2 == 0) {
            throw ReplyError.wrongArguments("mset");
        }
        List<Reserved.Reservation> puts = new ArrayList<>();
        for (IncomingValue value : call.values()) {
            call.uses().put(value, PutHints.NONE);
            puts.add(value.reservation().orElseThrow(() -> refused(value.refusal())));
        }
        publishGroups(call, groups(puts));
    }

    private static void publishGroups(Call call, Iterator<List<Reserved.Reservation>> groups) {
        List<Reserved.Reservation> group = groups.next();
        List<BlockKey> keys = call.values().stream().map(IncomingValue::key).toList();
        Publication.run(call, keys, ends -> call.session().commitTogether(group, PutHints.NONE, ends), answer -> {
            if (stored(answer) == Answer.STORED && groups.hasNext()) {
                call.leave(() -> {
                    publishGroups(call, groups);
                    return Continuation.Progress.DONE;
                });
            } else {
                end(call, new ChainOrder(call.pool()::usedAsChain, keys));
            }
        });
    }

    private static void end(Call call, ChainOrder order) {
        if (order.step()) {
            call.leave(() -> {
                end(call, order);
                return Continuation.Progress.DONE;
            });
        } else {
            call.reply().simple("OK");
        }
    }

    private static Iterator<List<Reserved.Reservation>> groups(List<Reserved.Reservation> puts) {
        return IntStream.iterate(0, from -> from < puts.size(), from -> from + GROUP)
                .mapToObj(from -> puts.subList(from, Math.min(from + GROUP, puts.size())))
                .iterator();
    }
}
