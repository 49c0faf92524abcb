package io.tidemark.core.pool;

import io.tidemark.core.pool.CopyStates.NewCopy;
import io.tidemark.core.pool.CopyStates.SealedPut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The second half of a put: conditions are judged, the bytes made durable as far as the medium promises, the block
 * published and every older copy taken out of sight, before the answer. A value equal to the one that is there is not
 * stored again.
 */
final class Commits {
    /**
     * What a put came to that asked for the value before it.
     *
     * @param old that value, pinned and not yet given to its session; where it is refused nothing was stored
     */
    record Exchanged(Answer answer, ReadResult old) {}

    /** How a put is to be stored. */
    private record Terms(PutHints hints, PutMode mode, Ends ends) {}

    private final EntryIndex index;
    private final Entries entries;
    private final CopyStates states;
    private final SameValues same;
    private final Evictions evictions;
    private final Chains chains;
    private final Reads reads;
    /** Generations of blocks. The higher one is the newer value, also after a restart. */
    private final AtomicLong generations = new AtomicLong();

    Commits(Blocks blocks, SameValues same, Evictions evictions, Chains chains, Reads reads) {
        index = blocks.index();
        entries = blocks.entries();
        states = blocks.states();
        this.same = same;
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
    Answer commit(ReservedPut put, PutHints hints, PutMode mode, Ends ends) {
        return exchange(put, new Terms(hints, mode, ends), false).answer();
    }

    /** As {@link #commit}, and pins the value that the key held at this very moment. */
    Exchanged exchange(ReservedPut put, PutHints hints, PutMode mode, Ends ends) {
        return exchange(put, new Terms(hints, mode, ends), true);
    }

    private Exchanged exchange(ReservedPut put, Terms terms, boolean wantsOld) {
        boolean replaces = terms.mode() == PutMode.REPLACE || terms.mode() == PutMode.REPLACE_IF_PRESENT;
        Optional<Exchanged> unchanged =
                replaces && !terms.hints().lifeIsOver() ? unchanged(put, terms, wantsOld) : Optional.empty();
        if (unchanged.isEmpty()) {
            return store(put, terms, wantsOld);
        }
        put.backend.medium.abort(put.copy);
        evictions.spaceFreed();
        return unchanged.get();
    }

    /** Where the key holds these very bytes: they count as used, and live as long as this put asked for. */
    private Optional<Exchanged> unchanged(ReservedPut put, Terms terms, boolean wantsOld) {
        Optional<SameValues.Same> found = same.find(put, terms.ends().mayWait());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        PutHints hints = terms.hints();
        Optional<Chains.Link> parent = hints.parent().flatMap(chains::link);
        ReadResult old = new ReadResult.Missed();
        boolean stands;
        long hash = index.hash(put.request.key());
        EntryStripe stripe = index.stripe(hash);
        stripe.lock.lock();
        try {
            stands = same.stands(found.get());
            if (stands && wantsOld) {
                old = reads.pinLocked(put.request.session(), stripe, hash, put.request.key());
            }
            if (stands && !(old instanceof ReadResult.Refused)) {
                same.putAgain(found.get(), hints, parent);
            }
        } finally {
            stripe.lock.unlock();
            same.release(found.get());
        }
        if (!stands) {
            return Optional.empty();
        }
        var _ = evictions.discard(
                List.of(), terms.ends(), hash); // an earlier value whose end was missed stays away too
        chains.used(found.get().backend(), found.get().copy(), parent);
        Answer answer = old instanceof ReadResult.Refused(Answer why) ? why : Answer.STORED;
        return Optional.of(new Exchanged(answer, old));
    }

    private Exchanged store(ReservedPut put, Terms terms, boolean wantsOld) {
        Optional<SealedPut> sealed = seal(put, terms.hints());
        if (sealed.isEmpty()) {
            put.backend.medium.abort(put.copy);
            return new Exchanged(Answer.FAILED, new ReadResult.Missed());
        }
        return publish(put, sealed.get(), terms, wantsOld);
    }

    /** A condition that fails, by what the key holds now. */
    private static Optional<Answer> condition(PutMode mode, boolean held) {
        return switch (mode) {
            case CREATE, REPLACE_IF_ABSENT -> held ? Optional.of(Answer.EXISTS) : Optional.empty();
            case REPLACE_IF_PRESENT -> held ? Optional.empty() : Optional.of(Answer.MISS);
            case REPLACE -> Optional.empty();
        };
    }

    private Exchanged publish(ReservedPut put, SealedPut sealed, Terms terms, boolean wantsOld) {
        PutHints hints = terms.hints();
        Optional<Chains.Link> parent = hints.parent().flatMap(chains::link);
        EntryStripe stripe = sealed.stripe();
        Answer answer = Answer.FAILED;
        ReadResult old = new ReadResult.Missed();
        List<Doomed> doomed = new ArrayList<>(0);
        boolean findable = false;
        stripe.lock.lock();
        try {
            if (wantsOld) {
                old = reads.pinLocked(put.request.session(), stripe, sealed.hash(), sealed.key());
            }
            Optional<Answer> refusal = terms.mode() == PutMode.REPLACE
                    ? Optional.empty()
                    : condition(terms.mode(), held(stripe, sealed.hash(), sealed.key()));
            if (old instanceof ReadResult.Refused(Answer why)) {
                answer = why;
            } else if (refusal.isPresent()) {
                answer = refusal.get();
            } else if (hints.lifeIsOver()) {
                doomed.addAll(dropAll(sealed));
                answer = Answer.STORED;
            } else {
                findable = states.publish(List.of(sealed), hints, parent, doomed);
                answer = findable ? Answer.STORED : Answer.FAILED;
            }
        } finally {
            stripe.lock.unlock();
            discard(doomed, answer == Answer.STORED ? List.of(sealed) : List.of(), terms.ends());
        }
        if (findable) {
            chains.arrived(put.backend, put.copy, parent);
        } else {
            put.backend.medium.abort(put.copy);
            evictions.spaceFreed();
        }
        return new Exchanged(answer, old);
    }

    /** What the key of a put holds goes out of sight in the one step in which the put would have been seen: its life is over. */
    private List<Doomed> dropAll(SealedPut put) {
        int row = put.stripe().find(put.key().bytes(), put.hash());
        return row == EntryRows.NONE ? List.of() : states.dropAll(new Entry(put.stripe(), row), Left.EXPIRED);
    }

    /**
     * Publishes all puts while it holds the locks of all their stripes, so that they appear at one moment; false, with
     * nothing stored, when one of them cannot be sealed or committed. The reservations stay the caller's then. Those that
     * brought what their key holds are given back.
     */
    boolean commitTogether(List<ReservedPut> puts, PutHints hints, Ends ends) {
        List<SealedPut> sealed = new ArrayList<>(puts.size());
        for (ReservedPut put : puts) {
            Optional<SealedPut> next = seal(put, hints);
            if (next.isEmpty()) {
                return false;
            }
            sealed.add(next.get());
        }
        IdentityHashMap<SealedPut, SameValues.Same> found = new IdentityHashMap<>();
        try {
            findSame(puts, sealed, found, ends.mayWait());
            return publishTogether(sealed, found, hints, ends);
        } finally {
            found.values().forEach(same::release);
        }
    }

    /** Of equal keys the last one counts, so a batch that has such a pair is stored as it is. */
    private void findSame(
            List<ReservedPut> puts,
            List<SealedPut> sealed,
            IdentityHashMap<SealedPut, SameValues.Same> found,
            boolean mayRead) {
        long keys = puts.stream().map(put -> put.request.key()).distinct().count();
        for (int i = 0; i < puts.size() && keys == puts.size(); i++) {
            Optional<SameValues.Same> old = same.find(puts.get(i), mayRead);
            if (old.isPresent()) {
                found.put(sealed.get(i), old.get());
            }
        }
    }

    private boolean publishTogether(
            List<SealedPut> sealed, IdentityHashMap<SealedPut, SameValues.Same> found, PutHints hints, Ends ends) {
        List<EntryStripe> stripes = sealed.stream()
                .map(put -> index.stripeNumber(put.hash()))
                .sorted()
                .distinct()
                .map(index::stripe)
                .toList();
        Optional<Chains.Link> parent = hints.parent().flatMap(chains::link);
        List<Doomed> doomed = new ArrayList<>();
        List<SealedPut> changed = new ArrayList<>(sealed.size());
        List<SameValues.Same> kept = new ArrayList<>();
        List<SealedPut> notNeeded = new ArrayList<>();
        boolean done = false;
        stripes.forEach(stripe -> stripe.lock.lock());
        try {
            for (SealedPut put : sealed) {
                SameValues.Same old = found.get(put);
                if (hints.lifeIsOver()) {
                    doomed.addAll(dropAll(put));
                    notNeeded.add(put);
                } else if (old != null && same.stands(old)) {
                    kept.add(old);
                    notNeeded.add(put);
                } else {
                    changed.add(put);
                }
            }
            done = states.publish(changed, hints, parent, doomed);
            if (done) { // not before: where nothing is stored, what is there keeps its life
                kept.forEach(old -> same.putAgain(old, hints, parent));
            }
        } finally {
            stripes.reversed().forEach(stripe -> stripe.lock.unlock());
            discard(doomed, done ? sealed : List.of(), ends);
        }
        if (done) {
            changed.forEach(
                    put -> chains.arrived(put.made().backend(), put.made().copy(), parent));
            notNeeded.forEach(
                    put -> put.made().backend().medium.abort(put.made().copy()));
            kept.forEach(old -> chains.used(old.backend(), old.copy(), parent));
        }
        return done;
    }

    /** Before the answer: what went out of sight, and every earlier value of what was stored, does not come back. */
    private void discard(List<Doomed> doomed, List<SealedPut> stored, Ends ends) {
        var _ = evictions.discard(
                doomed, ends, stored.stream().mapToLong(SealedPut::hash).toArray());
    }

    private Optional<SealedPut> seal(ReservedPut put, PutHints hints) {
        BlockKey key = put.request.key();
        byte[] record = entries.lives().recordKey(key, hints.ttlMillis()).bytes();
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
}
