package io.tidemark.core.pool;

import io.tidemark.core.medium.Allocation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The first half of a put: space in the entry tier, owned by the session. A put evicts nothing: one that finds no space
 * says so, and wakes the worker. The second half is {@link Commits}.
 */
final class Puts {
    private final Commits commits;
    private final Evictions evictions;
    private final Tier entryTier;
    private final SpaceWaiters waiters;
    private final IndexSpace index;
    private final KeyClaims claims = new KeyClaims();
    private final PoolLimits limits;
    private final Clocks clocks;
    private final Runnable pressure;
    private final Map<Answer, LongAdder> answers = new EnumMap<>(Answer.class);

    /** @param pressure called when space is short or a backend is at its high mark; must not block */
    Puts(
            Commits commits,
            Evictions evictions,
            Tier entryTier,
            SpaceWaiters waiters,
            IndexSpace index,
            PoolConfig config,
            Runnable pressure) {
        this.commits = commits;
        this.evictions = evictions;
        this.entryTier = entryTier;
        this.waiters = waiters;
        this.index = index;
        this.pressure = pressure;
        limits = config.limits();
        clocks = config.clocks();
        for (Answer answer : Answer.values()) {
            answers.put(answer, new LongAdder());
        }
    }

    /** See {@link Session#reserve}. */
    Reserved reserve(Session session, BlockKey key, long bytes, PutHints hints, PutMode mode) {
        if (bytes < 0) {
            throw new IllegalArgumentException("put of " + key + " with " + bytes + " bytes; expected 0 or more");
        }
        if (bytes > limits.maxBlockBytes()) {
            return refused(Answer.TOO_LARGE);
        }
        boolean onlyNew = mode == PutMode.CREATE || mode == PutMode.REPLACE_IF_ABSENT;
        if (onlyNew && commits.holds(key)) {
            return refused(Answer.EXISTS);
        }
        long now = clocks.monotonicNanos();
        long deadline = deadlineFrom(now);
        KeyClaims.Claimed claim = new KeyClaims.Claimed(key, deadline);
        if (mode == PutMode.CREATE && !claims.claim(claim, now)) {
            return refused(Answer.BUSY);
        }
        ReservedPut.Request request = new ReservedPut.Request(session, key, bytes, hints, mode, claim, deadline);
        long indexBytes = indexBytes(request);
        if (!index.reserve(indexBytes)) {
            release(request);
            pressure.run();
            return refused(indexBytes > index.limitBytes() ? Answer.TOO_LARGE : Answer.NO_SPACE);
        }
        return waiters.mayTake(session, bytes) ? allocate(request) : noRoom(request, Answer.NO_SPACE);
    }

    /** See {@link Session#foundAgain}. */
    void foundAgain(BlockKey key, PutHints hints) {
        commits.foundAgain(key, hints);
    }

    /** See {@link Session#awaitSpace}. */
    boolean awaitSpace(Session session, long bytes, long timeoutMillis, Runnable retry) {
        boolean mayHelp = entryTier.backends.stream().anyMatch(backend -> backend.mayHaveRoomSoon(bytes));
        boolean waits = mayHelp && waiters.add(session, bytes, timeoutMillis, retry);
        if (waits) {
            pressure.run();
        }
        return waits;
    }

    private long indexBytes(ReservedPut.Request request) {
        return index.putBytes(request.key().bytes().length);
    }

    private Reserved allocate(ReservedPut.Request request) {
        Answer why = Answer.TOO_LARGE;
        for (Backend backend : entryTier.placement(request.key().bytes())) {
            switch (backend.medium.allocate(request.bytes(), RecordKey.bytesMax(request.key()))) {
                case Allocation.Allocated(long copy) -> {
                    backend.satisfied();
                    return granted(new ReservedPut(this, request, backend, copy));
                }
                case Allocation.NoSpace() -> {
                    backend.counters.noSpace();
                    backend.wanted(request.bytes());
                    why = Answer.NO_SPACE;
                }
                case Allocation.TooLarge(long limit) -> {}
                case Allocation.Unavailable(String reason) -> why = why == Answer.TOO_LARGE ? Answer.FAILED : why;
            }
        }
        return noRoom(request, why);
    }

    private Reserved noRoom(ReservedPut.Request request, Answer why) {
        release(request);
        index.given(indexBytes(request));
        pressure.run();
        return refused(why);
    }

    private void release(ReservedPut.Request request) {
        if (request.mode() == PutMode.CREATE) {
            claims.release(request.claim());
        }
    }

    private Reserved granted(ReservedPut put) {
        if (put.request.session().holds(put)) {
            return put;
        }
        abort(put);
        return refused(Answer.FAILED);
    }

    /** Gives the space of an unfinished put back. */
    void abort(ReservedPut put) {
        release(put.request);
        index.given(indexBytes(put.request));
        put.backend.medium.abort(put.copy);
        evictions.spaceFreed();
    }

    /** Publishes a put; called once. */
    Answer commit(ReservedPut put, PutHints hints, PutMode mode, Ends ends) {
        return settled(
                        put,
                        () -> new Commits.Exchanged(commits.commit(put, hints, mode, ends), new ReadResult.Missed()))
                .answer();
    }

    /** Publishes a put, and pins the value before it; called once. */
    Commits.Exchanged exchange(ReservedPut put, PutHints hints, PutMode mode, Ends ends) {
        return settled(put, () -> commits.exchange(put, hints, mode, ends));
    }

    /** Publishes a batch as one; called once. See {@link Session#commitTogether}. */
    Answer commitTogether(List<? extends Reserved.Reservation> batch, PutHints hints, Ends ends) {
        List<ReservedPut> ours = new ArrayList<>(batch.size());
        for (Reserved.Reservation reservation : batch) {
            if (reservation instanceof ReservedPut put && put.endOnce()) {
                ours.add(put);
            }
        }
        long now = clocks.monotonicNanos();
        boolean whole = ours.size() == batch.size() && ours.stream().allMatch(put -> put.tiles() && !put.overdue(now));
        boolean stored = false;
        try {
            stored = whole && commits.commitTogether(ours, hints, ends);
        } finally {
            for (ReservedPut put : ours) {
                finish(put, stored ? Answer.STORED : Answer.FAILED);
            }
            pressureAfter(ours);
        }
        return stored ? Answer.STORED : Answer.FAILED;
    }

    private void finish(ReservedPut put, Answer answer) {
        if (answer == Answer.STORED) {
            release(put.request);
            index.given(indexBytes(put.request));
        } else {
            abort(put);
        }
        put.request.session().ended(put);
        counted(answer);
    }

    private void pressureAfter(List<ReservedPut> puts) {
        if (index.atHighMark() || puts.stream().anyMatch(put -> put.backend.atHighMark())) {
            pressure.run();
        }
    }

    private Commits.Exchanged settled(ReservedPut put, Supplier<Commits.Exchanged> publication) {
        boolean claimLost = put.request.mode() == PutMode.CREATE && !claims.stands(put.request.claim());
        if (claimLost || !put.tiles() || put.overdue(clocks.monotonicNanos())) {
            abort(put);
            return new Commits.Exchanged(counted(Answer.FAILED), new ReadResult.Missed());
        }
        boolean settled = false;
        try {
            Commits.Exchanged exchanged = publication.get();
            settled = true;
            counted(exchanged.answer());
            return exchanged;
        } finally {
            release(put.request);
            index.given(indexBytes(put.request));
            if (!settled) { // something threw: nothing may stay reserved for a put that nobody holds
                put.backend.medium.abort(put.copy);
                evictions.spaceFreed();
            }
            if (put.backend.atHighMark() || index.atHighMark()) {
                pressure.run();
            }
        }
    }

    /** Bytes of the put arrived: its deadline is renewed. */
    long deadlineFrom(long nowNanos) {
        return nowNanos + TimeUnit.MILLISECONDS.toNanos(limits.reservationMillis());
    }

    /** When a put whose first deadline is this one is over, however steadily its bytes arrive. */
    long lastDeadline(long firstDeadlineNanos) {
        return firstDeadlineNanos + TimeUnit.MILLISECONDS.toNanos(limits.putMillis() - limits.reservationMillis());
    }

    long now() {
        return clocks.monotonicNanos();
    }

    /** Puts with {@link PutMode#CREATE} that are under way will fail. */
    void voidClaims() {
        claims.clear();
    }

    void show(CounterVisitor visitor) {
        answers.forEach((answer, count) -> visitor.counter(
                "tidemark_puts_total",
                "Puts by their answer.",
                count.sum(),
                "answer",
                answer.name().toLowerCase(Locale.ROOT)));
    }

    private Reserved refused(Answer answer) {
        return new Reserved.Refused(counted(answer));
    }

    private Answer counted(Answer answer) {
        Optional.ofNullable(answers.get(answer)).orElseThrow().increment();
        return answer;
    }
}
