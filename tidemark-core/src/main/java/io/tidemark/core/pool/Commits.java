package io.tidemark.core.pool;

import io.tidemark.core.medium.MappedMedium;
import io.tidemark.core.pool.CopyStates.NewCopy;
import io.tidemark.core.pool.CopyStates.SealedPut;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The second half of a put: conditions are judged, the bytes made durable as far as the medium promises, the block
 * published and every older copy taken out of sight, before the answer. A value equal to the one that is there is not
 * stored again.
 */
final class Commits {
    /** A committed value pinned for a comparison. */
    private record Old(int entry, Backend backend, long copy) {}

    /**
     * What a put came to that asked for the value before it.
     *
     * @param old that value, pinned and not yet given to its session; where it is refused nothing was stored
     */
    record Exchanged(Answer answer, ReadResult old) {}

    private final EntryIndex index;
    private final Entries entries;
    private final CopyStates states;
    private final Evictions evictions;
    private final Chains chains;
    private final Reads reads;
    /** Generations of blocks. The higher one is the newer value, also after a restart. */
    private final AtomicLong generations = new AtomicLong();

    private final LongAdder unchanged = new LongAdder();

    Commits(EntryIndex index, Entries entries, CopyStates states, Evictions evictions, Chains chains, Reads reads) {
        this.index = index;
        this.entries = entries;
        this.states = states;
        this.evictions = evictions;
        this.chains = chains;
        this.reads = reads;
    }

    /** Generations from here on are higher than this one. */
    void startAbove(long generation) {
        generations.set(generation);
    }

    /** Whether the key holds a value that can be read: one on a device out of use is stored again. */
    boolean holds(BlockKey key) {
        long hash = index.hash(key);
        EntryStripe stripe = index.stripe(hash);
        stripe.lock.lock();
        try {
            return held(stripe, hash, key);
        } finally {
            stripe.lock.unlock();
        }
    }

    private boolean held(EntryStripe stripe, long hash, BlockKey key) {
        return entries.find(stripe, hash, key)
                .filter(entry -> entries.readableCellOf(entry, key.part()) != EntryRows.NONE)
                .isPresent();
    }

    /** See {@link Session#foundAgain}. */
    void foundAgain(BlockKey key, PutHints hints) {
        Optional<Chains.Link> parent = hints.parent().flatMap(chains::link);
        long hash = index.hash(key);
        EntryStripe stripe = index.stripe(hash);
        stripe.lock.lock();
        try {
            entries.find(stripe, hash, key).ifPresent(entry -> states.describeAgain(entry, hints, parent));
        } finally {
            stripe.lock.unlock();
        }
    }

    /** Publishes the put, or gives its space back. */
    Answer commit(ReservedPut put, PutHints hints, PutMode mode) {
        boolean replaces = mode == PutMode.REPLACE || mode == PutMode.REPLACE_IF_PRESENT;
        if (replaces && refreshed(put, hints)) {
            put.backend.medium.abort(put.copy);
            evictions.spaceFreed();
            return Answer.STORED;
        }
        return store(put, hints, mode, false).answer();
    }

    /** As {@link #commit}, and pins the value that the key held at this very moment. */
    Exchanged exchange(ReservedPut put, PutHints hints, PutMode mode) {
        return store(put, hints, mode, true);
    }

    private Exchanged store(ReservedPut put, PutHints hints, PutMode mode, boolean wantsOld) {
        Optional<SealedPut> sealed = seal(put, hints);
        if (sealed.isEmpty()) {
            put.backend.medium.abort(put.copy);
            return new Exchanged(Answer.FAILED, new ReadResult.Missed());
        }
        return publish(put, sealed.get(), hints, mode, wantsOld);
    }

    /** A condition that fails, by what the key holds now. */
    private static Optional<Answer> condition(PutMode mode, boolean held) {
        return switch (mode) {
            case CREATE, REPLACE_IF_ABSENT -> held ? Optional.of(Answer.EXISTS) : Optional.empty();
            case REPLACE_IF_PRESENT -> held ? Optional.empty() : Optional.of(Answer.MISS);
            case REPLACE -> Optional.empty();
        };
    }

    private Exchanged publish(ReservedPut put, SealedPut sealed, PutHints hints, PutMode mode, boolean wantsOld) {
        Optional<Chains.Link> parent = hints.parent().flatMap(chains::link);
        EntryStripe stripe = sealed.stripe();
        Answer answer = Answer.FAILED;
        ReadResult old = new ReadResult.Missed();
        List<Doomed> doomed = new ArrayList<>(0);
        stripe.lock.lock();
        try {
            if (wantsOld) {
                old = reads.pinLocked(put.request.session(), stripe, sealed.hash(), sealed.key());
            }
            Optional<Answer> refusal = mode == PutMode.REPLACE
                    ? Optional.empty()
                    : condition(mode, held(stripe, sealed.hash(), sealed.key()));
            if (old instanceof ReadResult.Refused(Answer why)) {
                answer = why;
            } else if (refusal.isPresent()) {
                answer = refusal.get();
            } else {
                boolean done = states.publish(List.of(sealed), hints, parent, doomed);
                answer = done ? Answer.STORED : Answer.FAILED;
            }
        } finally {
            stripe.lock.unlock();
            discard(doomed, answer == Answer.STORED ? List.of(sealed) : List.of());
        }
        if (answer == Answer.STORED) {
            chains.arrived(put.backend, put.copy, parent);
        } else {
            put.backend.medium.abort(put.copy);
            evictions.spaceFreed();
        }
        return new Exchanged(answer, old);
    }

    /**
     * Publishes all puts while it holds the locks of all their stripes, so that they appear at one moment; false, with
     * nothing stored, when one of them cannot be sealed or committed. The reservations stay the caller's then.
     */
    boolean commitTogether(List<ReservedPut> puts, PutHints hints) {
        List<SealedPut> sealed = new ArrayList<>(puts.size());
        for (ReservedPut put : puts) {
            Optional<SealedPut> next = seal(put, hints);
            if (next.isEmpty()) {
                return false;
            }
            sealed.add(next.get());
        }
        List<EntryStripe> stripes = sealed.stream()
                .map(put -> index.stripeNumber(put.hash()))
                .sorted()
                .distinct()
                .map(index::stripe)
                .toList();
        Optional<Chains.Link> parent = hints.parent().flatMap(chains::link);
        List<Doomed> doomed = new ArrayList<>();
        boolean done = false;
        stripes.forEach(stripe -> stripe.lock.lock());
        try {
            done = states.publish(sealed, hints, parent, doomed);
        } finally {
            stripes.reversed().forEach(stripe -> stripe.lock.unlock());
            discard(doomed, done ? sealed : List.of());
        }
        if (done) {
            sealed.forEach(
                    put -> chains.arrived(put.made().backend(), put.made().copy(), parent));
        }
        return done;
    }

    /** Before the answer: what went out of sight, and every earlier value of what was stored, does not come back. */
    private void discard(List<Doomed> doomed, List<SealedPut> stored) {
        evictions.discard(doomed, stored.stream().mapToLong(SealedPut::hash).toArray());
    }

    private Optional<SealedPut> seal(ReservedPut put, PutHints hints) {
        BlockKey key = put.request.key();
        byte[] record = entries.recordKey(key, hints.ttlMillis()).bytes();
        long generation = generations.incrementAndGet();
        try {
            put.backend.medium.seal(put.copy, record, generation);
        } catch (IOException e) {
            return Optional.empty();
        }
        NewCopy copy = new NewCopy(put.backend, put.copy, key.part(), generation, Stored.PUT);
        long hash = index.hash(key);
        return Optional.of(new SealedPut(index.stripe(hash), hash, key, copy, record));
    }

    /** Whether the key holds these very bytes, which then count as used and live as long as this put asked for. */
    private boolean refreshed(ReservedPut put, PutHints hints) {
        Optional<Old> pinned = pinOld(put);
        if (pinned.isEmpty()) {
            return false;
        }
        Old old = pinned.get();
        Optional<Chains.Link> parent = hints.parent().flatMap(chains::link);
        boolean same = same(
                ((MappedMedium) old.backend().medium).segments(old.copy()),
                ((MappedMedium) put.backend.medium).segments(put.copy));
        EntryStripe stripe = index.stripeOf(old.entry());
        boolean free;
        stripe.lock.lock();
        try {
            Optional<Entry> entry = entries.owner(old.entry(), old.backend(), old.copy());
            same &= entry.isPresent();
            if (same) {
                states.describeAgain(entry.orElseThrow(), hints, parent);
                if (!hints.keepsLife()) {
                    entries.changeLife(entry.orElseThrow(), hints.ttlMillis());
                }
            }
            free = old.backend().copies().unpin(old.copy());
        } finally {
            stripe.lock.unlock();
        }
        if (free) {
            evictions.free(List.of(Doomed.unpinned(old.backend(), old.copy())));
        }
        if (same) {
            unchanged.increment();
            chains.used(old.backend(), old.copy(), parent);
        }
        return same;
    }

    /** Pins the value that the key holds when its length is the same and its bytes are at hand. */
    private Optional<Old> pinOld(ReservedPut put) {
        BlockKey key = put.request.key();
        long hash = index.hash(key);
        EntryStripe stripe = index.stripe(hash);
        stripe.lock.lock();
        try {
            Optional<Entry> entry = entries.find(stripe, hash, key);
            int cell = entry.map(found -> entries.cellOf(found, key.part())).orElse(EntryRows.NONE);
            if (cell == EntryRows.NONE) {
                return Optional.empty();
            }
            Backend backend = entries.backendOf(stripe.rows, cell);
            long copy = stripe.rows.handle(cell);
            boolean comparable =
                    backend.medium instanceof MappedMedium && backend.copies().lengthBytes(copy) == put.request.bytes();
            return comparable && backend.copies().pin(copy)
                    ? Optional.of(new Old(entry.orElseThrow().id(), backend, copy))
                    : Optional.empty();
        } finally {
            stripe.lock.unlock();
        }
    }

    /** Whether two values of equal length, each cut in its own way, hold the same bytes. */
    private static boolean same(List<MemorySegment> left, List<MemorySegment> right) {
        int i = 0;
        int j = 0;
        long atLeft = 0;
        long atRight = 0;
        while (i < left.size() && j < right.size()) {
            long step = Math.min(left.get(i).byteSize() - atLeft, right.get(j).byteSize() - atRight);
            if (MemorySegment.mismatch(left.get(i), atLeft, atLeft + step, right.get(j), atRight, atRight + step)
                    >= 0) {
                return false;
            }
            atLeft += step;
            atRight += step;
            if (atLeft == left.get(i).byteSize()) {
                i++;
                atLeft = 0;
            }
            if (atRight == right.get(j).byteSize()) {
                j++;
                atRight = 0;
            }
        }
        return true;
    }

    void show(CounterVisitor visitor) {
        visitor.counter(
                "tidemark_unchanged_puts_total",
                "Puts of the value that was there: nothing was stored.",
                unchanged.sum());
    }
}
