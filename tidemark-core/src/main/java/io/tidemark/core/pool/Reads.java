package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyTable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The way of a get: a pin under the entry lock, bytes out without one, unpin and touch. */
final class Reads implements AutoCloseable {
    private final EntryIndex index;
    private final Entries entries;
    private final Evictions evictions;
    private final Chains chains;
    private final Leases leases;
    private final TransitionQueue transitions;
    private final Fetches fetches;
    private final DeviceReads deviceReads;
    private final PoolLimits limits;
    private final Clocks clocks;
    private final LongAdder misses = new LongAdder();
    private final LongAdder refused = new LongAdder();

    Reads(
            EntryIndex index,
            Entries entries,
            Evictions evictions,
            Chains chains,
            Leases leases,
            TransitionQueue transitions,
            PoolConfig config) {
        this.index = index;
        this.entries = entries;
        this.evictions = evictions;
        this.chains = chains;
        this.leases = leases;
        this.transitions = transitions;
        limits = config.limits();
        deviceReads = config.deviceReads();
        fetches = new Fetches(deviceReads);
        clocks = config.clocks();
    }

    /** See {@link Session#readRanges(BlockKey, Ranges)}. */
    ReadResult read(Session session, BlockKey key, Ranges ranges) {
        ReadResult result = asked(session, key, ranges);
        if (!(result instanceof ReadPin pin) || !pin.needsDevice()) {
            return counted(result);
        }
        Handoff answer = new Handoff();
        fetch(session, key, ranges, pin, answer);
        return answer.await(deviceReads.waitMillis());
    }

    /** See {@link Session#readRanges(BlockKey, Ranges, Consumer)}. */
    void read(Session session, BlockKey key, Ranges ranges, Consumer<ReadResult> answer) {
        ReadResult result = asked(session, key, ranges);
        if (result instanceof ReadPin pin && pin.needsDevice()) {
            fetch(session, key, ranges, pin, answer);
        } else {
            answer.accept(counted(result));
        }
    }

    private ReadResult asked(Session session, BlockKey key, Ranges ranges) {
        ReadResult result = pinned(session, key);
        if (result instanceof ReadPin pin) {
            pin.ask(ranges);
        }
        return result;
    }

    private void fetch(Session session, BlockKey key, Ranges ranges, ReadPin pin, Consumer<ReadResult> answer) {
        fetches.fetch(pin, fetched -> received(pin, fetched, answer, () -> read(session, key, ranges, answer)));
    }

    /** Pins the value of a key. Needs the lock of its stripe; outside of it the pin has to be given to its session. */
    ReadResult pinLocked(Session session, EntryStripe stripe, long hash, BlockKey key) {
        return entries.find(stripe, hash, key)
                .map(entry -> pin(session, entry, key.part()))
                .orElseGet(ReadResult.Missed::new);
    }

    /**
     * Answers with the value that a put has replaced, at once or when a device has brought it.
     *
     * @param seen what a read found before the put: where it is the same copy its bytes are used, else it is closed
     */
    void handOver(Session session, ReadResult old, ReadResult seen, Consumer<ReadResult> answer) {
        ReadResult held = heldBy(session, old);
        if (held instanceof ReadPin pin && seen instanceof ReadPin before && before.isOf(pin)) {
            pin.close();
            answer.accept(before);
            return;
        }
        if (seen instanceof ReadPin before) {
            before.close();
        }
        if (held instanceof ReadPin pin) {
            pin.ask(Ranges.WHOLE);
            if (pin.needsDevice()) {
                fetches.fetch(
                        pin,
                        fetched ->
                                received(pin, fetched, answer, () -> answer.accept(counted(new ReadResult.Missed()))));
                return;
            }
        }
        answer.accept(counted(held));
    }

    /** @param again called when the copy was damaged and has been thrown away */
    private void received(ReadPin pin, Fetched fetched, Consumer<ReadResult> answer, Runnable again) {
        switch (fetched) {
            case Fetched.Bytes(Staging.Staged staged) ->
                answer.accept(counted(pin.stage(staged) ? pin : new ReadResult.Refused(Answer.FAILED)));
            case Fetched.Busy() -> {
                pin.close();
                answer.accept(counted(new ReadResult.Refused(Answer.BUSY)));
            }
            case Fetched.Damaged() -> {
                pin.close();
                if (evictions.discardCopy(pin.entry, pin.backend, pin.copy, EvictionReason.CORRUPT)) {
                    pin.backend.damaged(); // once, however many waited for it
                }
                again.run();
            }
            case Fetched.Unavailable() -> {
                pin.close();
                pin.backend.counters.unavailable();
                answer.accept(counted(new ReadResult.Missed()));
            }
        }
    }

    private ReadResult pinned(Session session, BlockKey key) {
        long hash = index.hash(key);
        EntryStripe stripe = index.stripe(hash);
        ReadResult result;
        stripe.lock.lock();
        try {
            result = pinLocked(session, stripe, hash, key);
        } finally {
            stripe.lock.unlock();
        }
        return heldBy(session, result);
    }

    /** Gives a pin to its session, or ends it where the session is closed. */
    private static ReadResult heldBy(Session session, ReadResult result) {
        if (result instanceof ReadPin pin && !session.holds(pin)) {
            pin.close();
            return new ReadResult.Refused(Answer.FAILED);
        }
        return result;
    }

    private ReadResult pin(Session session, Entry entry, int part) {
        int readable = entries.readableCellOf(entry, part);
        // Where no copy can be read the device is asked all the same: it may have come back.
        int cell = readable != EntryRows.NONE ? readable : entries.cellOf(entry, part);
        if (cell == EntryRows.NONE) {
            return new ReadResult.Missed();
        }
        Backend backend = entries.backendOf(entry.rows(), cell);
        long copy = entry.rows().handle(cell);
        if (!backend.copies().pin(copy, backend.pinnedMost(limits.pinnedShare()))) {
            return new ReadResult.Refused(Answer.BUSY);
        }
        leases.wasRead(session, entry.id(), part);
        return new ReadPin(session, this, entry.id(), backend, copy, entries.parent(entry));
    }

    private ReadResult counted(ReadResult result) {
        switch (result) {
            case ReadPin pin -> pin.backend.counters.hit(pin.askedBytes());
            case ReadResult.Missed() -> misses.increment();
            case ReadResult.Refused(Answer answer) -> refused.increment();
            case ReadResult.Pinned other -> throw new IllegalStateException("foreign pin " + other);
        }
        return result;
    }

    /** Ends a read; called once a pin. */
    void unpin(ReadPin pin) {
        EntryStripe stripe = index.stripeOf(pin.entry);
        boolean alone = pin.parent.isEmpty();
        boolean free;
        List<Long> beside;
        stripe.lock.lock();
        try {
            CopyTable copies = pin.backend.copies();
            free = alone ? copies.unpinUsed(pin.copy) : copies.unpin(pin.copy);
            Optional<Entry> entry = entries.owner(pin.entry, pin.backend, pin.copy);
            entry.ifPresent(read -> transitions.wasRead(read, pin.backend));
            beside = entry.map(read -> entries.partsBeside(read, pin.backend, pin.copy))
                    .orElse(List.of());
        } finally {
            stripe.lock.unlock();
        }
        if (free) {
            evictions.free(List.of(Doomed.unpinned(pin.backend, pin.copy)));
        } else {
            beside.forEach(pin.backend.copies().order()::touch); // a part left cold would take the whole block with it
            if (!alone) {
                chains.used(pin.backend, pin.copy, pin.parent);
            }
        }
    }

    /** Device reads of a backend that wait for a thread. */
    int waiting(Backend backend) {
        return fetches.waiting(backend);
    }

    /** Fetches no more. */
    @Override
    public void close() {
        fetches.close();
    }

    /** Whether a read that last moved bytes then has stalled by now. */
    boolean stalled(long lastProgressNanos, long nowNanos) {
        return nowNanos - lastProgressNanos >= TimeUnit.MILLISECONDS.toNanos(limits.pinStallMillis());
    }

    long now() {
        return clocks.monotonicNanos();
    }

    void show(CounterVisitor visitor) {
        visitor.counter("tidemark_misses_total", "Reads of keys that were not there.", misses.sum());
        visitor.counter(
                "tidemark_refused_pins_total",
                "Reads refused because pins or staged bytes were at their cap.",
                refused.sum());
        fetches.show(visitor);
    }
}
