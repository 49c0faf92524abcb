package io.tidemark.core.pool;

import io.tidemark.core.medium.Allocation;
import io.tidemark.core.medium.CopyState;
import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.medium.CorruptBlockException;
import io.tidemark.core.medium.MappedMedium;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.pool.CopyStates.NewCopy;
import io.tidemark.core.pool.Move.Held;
import io.tidemark.core.pool.Transition.Kind;
import io.tidemark.core.pool.Transition.Outcome;
import io.tidemark.core.pool.Transition.Part;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Carries blocks from one backend to another: pins the source, takes space in the target, copies and seals without a
 * lock, and swaps under the entry lock, if the block is still the one it was.
 */
final class Mover {
    private static final long BUFFER_BYTES = 1 << 20;
    /** Ends of a life that differ by less are the same, computed at different times. */
    private static final long LIFE_MILLIS_APART = 100;
    /** A block whose device is busy waits for it so often (7 ms in all) before it goes elsewhere: the device may hang. */
    static final int TRIES_AT_ITS_PLACE = 3;

    private final EntryIndex index;
    private final Entries entries;
    private final CopyStates states;
    private final Evictions evictions;
    private final UnwrittenEnds ends;
    private final TierGraph graph;
    /** Workers that may be busy with one device, so that one that hangs leaves some to the others. */
    private final int carriersMost;

    private final JointFill joint;

    Mover(
            EntryIndex index,
            Entries entries,
            CopyStates states,
            Evictions evictions,
            UnwrittenEnds ends,
            TierGraph graph,
            int carriersMost) {
        this.index = index;
        this.entries = entries;
        this.states = states;
        this.evictions = evictions;
        this.ends = ends;
        this.graph = graph;
        this.carriersMost = carriersMost;
        joint = new JointFill(carriersMost, move -> giveUp(move.copies, move.held.orElseThrow()));
    }

    /**
     * Begins to carry some blocks, several only where they go from one source to one device: holds them, and copies those
     * together. Each has to be {@linkplain #finish finished} afterwards, whatever happens here.
     */
    void begin(List<Move> moves) {
        if (moves.size() > 1) {
            moves.forEach(Move::apart); // also where holding one of them throws
        }
        for (Move move : moves) {
            move.held = hold(move.transition);
        }
        List<Move> held = moves.stream().filter(move -> move.held.isPresent()).toList();
        if (held.size() > 1) {
            joint.fill(held.getFirst().transition.joint().orElseThrow(), held);
        } else {
            held.forEach(only -> only.how = Move.How.ALONE);
        }
    }

    /** Ends a try: carries a block that goes alone to one of its target tiers, and swaps what is in its place. */
    Outcome finish(Move move) {
        if (move.held.isEmpty()) {
            return Outcome.SKIPPED;
        }
        try {
            if (move.how == Move.How.ALONE) {
                move.outcome = fillAny(move.transition, move.held.get(), move.copies);
            }
        } finally {
            // Whatever happened: the source is let go of.
            move.outcome = settle(move.transition, move.held.get(), move.copies, move.outcome);
        }
        return move.outcome;
    }

    /** Fills the first target tier that takes the block; nothing is left behind in the others. */
    private Outcome fillAny(Transition transition, Held held, List<NewCopy> landed) {
        Outcome outcome = Outcome.UNHEALTHY;
        for (Tier tier : targets(transition)) {
            outcome = fill(transition, held, tier, landed);
            if (outcome == Outcome.LANDED) {
                break;
            }
            giveUp(landed, held);
            if (outcome == Outcome.DAMAGED) {
                break;
            }
        }
        return outcome;
    }

    private List<Tier> targets(Transition transition) {
        return switch (transition.kind()) {
            case DEMOTION -> graph.tierOf(transition.source()).below();
            case PROMOTION -> List.of(graph.entry());
        };
    }

    /** Pins the source's copies; empty when the block is no longer what was queued. */
    private Optional<Held> hold(Transition transition) {
        EntryStripe stripe = index.stripeOf(transition.entry());
        stripe.lock.lock();
        try {
            Optional<Entry> entry = current(transition);
            if (entry.isEmpty()) {
                return Optional.empty();
            }
            Entry held = entry.get();
            List<RecordKey> records = transition.parts().stream()
                    .map(part -> entries.recordKey(held, part.number()))
                    .toList();
            Held found = new Held(BlockKey.of(held.key()), stripe.rows.generation(held.row()), records);
            pin(transition);
            return Optional.of(found);
        } finally {
            stripe.lock.unlock();
        }
    }

    /** Pins every copy, or throws and pins none. */
    private static void pin(Transition transition) {
        CopyTable copies = transition.source().copies();
        int pinned = 0;
        for (Part part : transition.parts()) {
            if (!copies.pin(part.copy())) {
                transition.parts().stream().limit(pinned).forEach(done -> copies.unpin(done.copy()));
                throw new IllegalStateException(
                        "a copy in " + transition.source().name() + " that can be found cannot be pinned");
            }
            pinned++;
        }
    }

    /** The entry, when it still names every copy that was queued, in the state it was queued in. */
    private Optional<Entry> current(Transition transition) {
        Backend source = transition.source();
        CopyState expected = transition.kind() == Kind.DEMOTION ? CopyState.MOVING : CopyState.COMMITTED;
        boolean all = transition.parts().stream()
                .allMatch(part -> source.copies().state(part.copy()) == expected
                        && entries.owner(transition.entry(), source, part.copy())
                                .isPresent());
        Part first = transition.parts().getFirst();
        return all ? entries.owner(transition.entry(), source, first.copy()) : Optional.empty();
    }

    /** Takes space for every part in one tier, and writes and seals it. */
    private Outcome fill(Transition transition, Held held, Tier tier, List<NewCopy> landed) {
        Stored how = transition.kind() == Kind.DEMOTION ? Stored.DEMOTION : Stored.PROMOTION;
        for (Part part : transition.parts()) {
            Outcome outcome = fillPart(transition, part, held, tier, how, landed);
            if (outcome != Outcome.LANDED) {
                return outcome;
            }
        }
        return Outcome.LANDED;
    }

    /** Fills the first member that takes the part. A member that is only full is waited for, whatever ails the others. */
    private Outcome fillPart(Transition transition, Part part, Held held, Tier tier, Stored how, List<NewCopy> landed) {
        Outcome outcome = Outcome.UNHEALTHY;
        long length = transition.source().copies().lengthBytes(part.copy());
        for (Backend target : tier.placement(held.key().bytes())) {
            Backend device = how == Stored.DEMOTION ? target : transition.source();
            if (!device.beginCarry(carriersMost)) {
                outcome = Outcome.NO_ROOM;
                if (transition.tries() < TRIES_AT_ITS_PLACE) {
                    break;
                }
                continue;
            }
            Outcome tried;
            try {
                tried = fill(transition, part, length, held, target, how, landed);
            } finally {
                device.endCarry();
            }
            if (tried == Outcome.LANDED || tried == Outcome.DAMAGED) {
                return tried;
            }
            outcome = tried == Outcome.NO_ROOM ? tried : outcome;
        }
        return outcome;
    }

    private Outcome fill(
            Transition transition,
            Part part,
            long length,
            Held held,
            Backend target,
            Stored how,
            List<NewCopy> landed) {
        if (how == Stored.PROMOTION && target.atHighMark()) {
            return Outcome.NO_ROOM;
        }
        return switch (target.medium.allocate(length, held.record(part.number()).bytes().length)) {
            case Allocation.Allocated(long copy) -> {
                landed.add(new NewCopy(target, copy, part.number(), held.generation(), how));
                yield write(transition.source(), part, length, held, target, copy);
            }
            case Allocation.NoSpace() -> {
                target.counters.noSpace();
                if (how == Stored.DEMOTION) {
                    target.wanted(length);
                }
                yield Outcome.NO_ROOM;
            }
            case Allocation.TooLarge(long limit) -> Outcome.UNHEALTHY;
            case Allocation.Unavailable(String why) -> Outcome.UNHEALTHY;
        };
    }

    private static Outcome write(Backend source, Part part, long length, Held held, Backend target, long copy) {
        try {
            transfer(source.medium, part.copy(), target.medium, copy, length);
            target.medium.seal(copy, held.record(part.number()).bytes(), held.generation());
            return Outcome.LANDED;
        } catch (DamagedSourceException e) {
            return Outcome.DAMAGED;
        } catch (IOException e) {
            return Outcome.NO_ROOM;
        }
    }

    /** Tells damage in the source from damage in the target, which reads what it holds of a block that was not written in order. */
    private static final class DamagedSourceException extends IOException {
        private static final long serialVersionUID = 1;

        DamagedSourceException(CorruptBlockException cause) {
            super(cause);
        }
    }

    private static void readSource(Medium source, long from, long at, MemorySegment target) throws IOException {
        try {
            source.read(from, at, target);
        } catch (CorruptBlockException e) {
            throw new DamagedSourceException(e);
        }
    }

    private static void transfer(Medium source, long from, Medium target, long to, long length) throws IOException {
        long at = 0;
        if (source instanceof MappedMedium mapped) {
            for (MemorySegment segment : mapped.segments(from)) {
                target.write(to, at, segment);
                at += segment.byteSize();
            }
        } else if (target instanceof MappedMedium mapped) {
            for (MemorySegment segment : mapped.segments(to)) {
                readSource(source, from, at, segment);
                at += segment.byteSize();
            }
        } else if (length > 0) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(Math.min(length, BUFFER_BYTES));
                for (; at < length; at += buffer.byteSize()) {
                    MemorySegment step = buffer.asSlice(0, Math.min(buffer.byteSize(), length - at));
                    readSource(source, from, at, step);
                    target.write(to, at, step);
                }
            }
        }
    }

    /** Swaps the copies if all is well, and lets go of the source. */
    private Outcome settle(Transition transition, Held held, List<NewCopy> landed, Outcome filled) {
        EntryStripe stripe = index.stripeOf(transition.entry());
        List<Doomed> doomed = new ArrayList<>();
        List<NewCopy> published = new ArrayList<>();
        stripe.lock.lock();
        try {
            Optional<Entry> entry = current(transition);
            for (Part part : transition.parts()) {
                if (transition.source().copies().unpin(part.copy())) {
                    doomed.add(Doomed.unpinned(transition.source(), part.copy()));
                }
            }
            if (entry.isPresent() && filled == Outcome.LANDED) {
                swap(transition, entry.get(), landed, published, doomed);
                published.forEach(copy -> keepLife(entry.get(), held, copy));
            }
            landed.stream().filter(copy -> !published.contains(copy)).forEach(copy -> noteEnd(copy, held));
        } finally {
            stripe.lock.unlock();
        }
        landed.stream().filter(copy -> !published.contains(copy)).forEach(copy -> giveUp(copy, held));
        evictions.free(doomed);
        boolean moved = filled != Outcome.LANDED || (!landed.isEmpty() && published.size() == landed.size());
        return moved ? filled : Outcome.SKIPPED;
    }

    /** Gives all of it back, also where one of them throws. */
    private void giveUp(List<NewCopy> made, Held held) {
        if (!made.isEmpty()) {
            try {
                giveUp(made.removeLast(), held);
            } finally {
                giveUp(made, held);
            }
        }
    }

    /** Gives back what was made of a part. */
    private void giveUp(NewCopy copy, Held held) {
        try {
            noteEnd(copy, held);
        } finally {
            copy.backend().medium.abort(copy.copy());
        }
    }

    /** Its record is in the medium already; who discards the block after this move has to know. */
    private void noteEnd(NewCopy copy, Held held) {
        ends.note(copy.backend(), copy.copy(), () -> index.hash(held.key()));
    }

    /** A life that was changed during the copy goes to the record that was written with the old one. */
    private void keepLife(Entry entry, Held held, NewCopy copy) {
        OptionalLong then = held.record(copy.part()).diesAtMillis();
        OptionalLong now = entries.recordKey(entry, copy.part()).diesAtMillis();
        if (then.isPresent() != now.isPresent() || Math.abs(then.orElse(0) - now.orElse(0)) > LIFE_MILLIS_APART) {
            entries.recordAgain(entry, copy);
        }
    }

    private void swap(
            Transition transition, Entry entry, List<NewCopy> landed, List<NewCopy> published, List<Doomed> doomed) {
        boolean up = transition.kind() == Kind.PROMOTION;
        if (landed.stream().anyMatch(copy -> entries.namesAt(entry, copy.place()))) {
            return;
        }
        for (NewCopy copy : landed) {
            if (!states.publishCopy(entry, copy, up)) {
                return;
            }
            published.add(copy);
        }
        // From where no end can be written a copy never leaves: it would be back, also of a block that is deleted
        // later.
        boolean leaves = !up
                || (transition.source().medium.recordsEnds()
                        && transition.source().tier.promotion().stream().anyMatch(Promotion::move));
        if (leaves) {
            List<Long> carried = transition.parts().stream().map(Part::copy).toList();
            doomed.addAll(states.drop(entry, transition.source(), carried, up ? Left.PROMOTED : Left.DEMOTED));
        }
    }
}
