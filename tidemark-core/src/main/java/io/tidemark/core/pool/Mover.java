package io.tidemark.core.pool;

import io.tidemark.core.medium.Allocation;
import io.tidemark.core.medium.CopyState;
import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.pool.CopyStates.NewCopy;
import io.tidemark.core.pool.Move.Held;
import io.tidemark.core.pool.Transfer.DamagedSourceException;
import io.tidemark.core.pool.Transition.Kind;
import io.tidemark.core.pool.Transition.Outcome;
import io.tidemark.core.pool.Transition.Part;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Carries blocks from one backend to another: pins the source, takes space in the target, copies and seals without a
 * lock, and swaps under the entry lock, if the block is still the one it was.
 */
final class Mover {
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

    Mover(Blocks blocks, Evictions evictions, UnwrittenEnds ends, TierGraph graph, int carriersMost) {
        index = blocks.index();
        entries = blocks.entries();
        states = blocks.states();
        this.evictions = evictions;
        this.ends = ends;
        this.graph = graph;
        this.carriersMost = carriersMost;
        joint = new JointFill(carriersMost, this::giveUp);
    }

    /**
     * Begins to carry some blocks, several only where they go from one source to one device: holds them, and copies those
     * together. Each has to be {@linkplain #finish finished} afterwards, whatever happens here.
     */
    void begin(List<Move> moves) {
        if (moves.size() > 1) {
            moves.forEach(Move::apart); // also where holding one of them throws
        }
        moves.forEach(this::hold);
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
                move.transition.joint().ifPresent(move.reach()::ends); // it may go elsewhere
                move.outcome = fillAny(move, move.held.get());
            }
        } finally {
            // Whatever happened: the source is let go of.
            move.outcome = settle(move, move.held.get(), move.outcome);
        }
        return move.outcome;
    }

    /** Fills the first target tier that takes the block; nothing is left behind in the others. */
    private Outcome fillAny(Move move, Held held) {
        Outcome outcome = Outcome.UNHEALTHY;
        for (Tier tier : targets(move.transition)) {
            outcome = fill(move, held, tier);
            if (outcome == Outcome.LANDED) {
                break;
            }
            giveUp(move);
            if (outcome == Outcome.DAMAGED || outcome == Outcome.SKIPPED) {
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

    /** Pins the source's copies, unless the block is no longer what was queued. */
    private void hold(Move move) {
        Transition transition = move.transition;
        EntryStripe stripe = index.stripeOf(transition.entry());
        stripe.lock.lock();
        try {
            Optional<Entry> entry = current(transition);
            if (entry.isPresent()) {
                Entry held = entry.get();
                CopyTable source = transition.source().copies();
                List<RecordKey> records = transition.parts().stream()
                        .map(part -> entries.lives().recordKey(held, part.number()))
                        .toList();
                long generation = stripe.rows.generation(held.row());
                Optional<Held> found = Optional.of(new Held(source, BlockKey.of(held.key()), generation, records));
                // Under the lock: who discards the block from here on sees where it may come to be.
                transition.joint().ifPresent(move.reach()::begins);
                pin(source, transition);
                move.held = found; // nothing that may fail stands between the pins and the one who takes them back
            }
        } finally {
            stripe.lock.unlock();
        }
    }

    /** Pins every copy, or throws and pins none. */
    private static void pin(CopyTable copies, Transition transition) {
        List<Part> parts = transition.parts();
        int pinned = 0;
        try {
            while (pinned < parts.size() && copies.pin(parts.get(pinned).copy())) {
                pinned++;
            }
        } finally {
            for (int i = 0; i < pinned && pinned < parts.size(); i++) {
                copies.unpin(parts.get(i).copy());
            }
        }
        if (pinned < parts.size()) {
            throw new IllegalStateException(
                    "a copy in " + transition.source().name() + " that can be found cannot be pinned");
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
    private Outcome fill(Move move, Held held, Tier tier) {
        for (Part part : move.transition.parts()) {
            Outcome outcome = fillPart(move, part, held, tier);
            if (outcome != Outcome.LANDED) {
                return outcome;
            }
        }
        return Outcome.LANDED;
    }

    /** Fills the first member that takes the part. A member that is only full is waited for, whatever ails the others. */
    private Outcome fillPart(Move move, Part part, Held held, Tier tier) {
        Transition transition = move.transition;
        Outcome outcome = Outcome.UNHEALTHY;
        for (Backend target : tier.placement(held.key().bytes())) {
            Backend device = transition.kind() == Kind.DEMOTION ? target : transition.source();
            if (!device.beginCarry(carriersMost)) {
                outcome = Outcome.NO_ROOM;
                if (transition.tries() < TRIES_AT_ITS_PLACE) {
                    break;
                }
                continue;
            }
            Outcome tried;
            try {
                tried = fill(move, part, held, target);
            } finally {
                device.endCarry();
            }
            switch (tried) {
                case LANDED, DAMAGED, SKIPPED -> {
                    return tried;
                }
                case NO_ROOM -> outcome = tried;
                case UNHEALTHY -> {}
            }
        }
        return outcome;
    }

    /** Fills a part in one place; unless it lands there, nothing of it is left there. */
    private Outcome fill(Move move, Part part, Held held, Backend target) {
        boolean down = move.transition.kind() == Kind.DEMOTION;
        if (!down && target.atHighMark()) {
            return Outcome.NO_ROOM;
        }
        long length = held.source().lengthBytes(part.copy());
        return switch (target.medium.allocate(length, held.record(part.number()).bytes().length)) {
            case Allocation.Allocated(long copy) -> {
                Stored how = down ? Stored.DEMOTION : Stored.PROMOTION;
                Outcome written =
                        write(move, part, held, new NewCopy(target, copy, part.number(), held.generation(), how));
                if (written != Outcome.LANDED) {
                    giveUpLast(move, held);
                }
                yield written;
            }
            case Allocation.NoSpace() -> {
                target.counters.noSpace();
                if (down) {
                    target.wanted(length);
                }
                yield Outcome.NO_ROOM;
            }
            case Allocation.TooLarge(long limit) -> Outcome.UNHEALTHY;
            case Allocation.Unavailable(String why) -> Outcome.UNHEALTHY;
        };
    }

    private Outcome write(Move move, Part part, Held held, NewCopy made) {
        move.copies.add(made);
        if (made.backend().isDevice()) {
            move.reach().begins(made.backend());
        }
        // After that was told: who discards the block sees that it may be there, or it is not written there any more.
        return isCurrent(move.transition) ? write(move.transition.source(), part, held, made) : Outcome.SKIPPED;
    }

    private boolean isCurrent(Transition transition) {
        EntryStripe stripe = index.stripeOf(transition.entry());
        stripe.lock.lock();
        try {
            return current(transition).isPresent();
        } finally {
            stripe.lock.unlock();
        }
    }

    private static Outcome write(Backend source, Part part, Held held, NewCopy made) {
        Medium target = made.backend().medium;
        try {
            if (!new Transfer(source.medium, part.copy(), target, made.copy()).run()) {
                return Outcome.SKIPPED;
            }
            target.seal(made.copy(), held.record(part.number()).bytes(), held.generation());
            return Outcome.LANDED;
        } catch (DamagedSourceException e) {
            return Outcome.DAMAGED;
        } catch (IOException e) {
            return Outcome.NO_ROOM;
        }
    }

    /** Swaps the copies if all is well, and lets go of the source. */
    private Outcome settle(Move move, Held held, Outcome filled) {
        boolean swapped = false;
        try {
            swapped = swapLocked(move, held, filled);
        } finally {
            try {
                giveUp(move);
            } finally {
                evictions.free(move.doomed);
            }
        }
        return swapped || filled != Outcome.LANDED ? filled : Outcome.SKIPPED;
    }

    private boolean swapLocked(Move move, Held held, Outcome filled) {
        EntryStripe stripe = index.stripeOf(move.transition.entry());
        boolean swapped = false;
        stripe.lock.lock();
        try {
            unpin(move, held, 0);
            Optional<Entry> entry = current(move.transition);
            if (entry.isPresent() && filled == Outcome.LANDED) {
                swapped = swap(move, entry.get(), held);
            }
            move.copies.forEach(copy -> noteEnd(copy, held));
        } finally {
            stripe.lock.unlock();
        }
        return swapped;
    }

    /** Each pin from this one on is taken back, also where another one throws. */
    private static void unpin(Move move, Held held, int at) {
        List<Part> parts = move.transition.parts();
        if (at < parts.size()) {
            try {
                long copy = parts.get(at).copy();
                if (held.source().unpin(copy)) {
                    move.doomed.add(Doomed.unpinned(move.transition.source(), copy));
                }
            } finally {
                unpin(move, held, at + 1);
            }
        }
    }

    /** Gives back all that was made and is not findable, also where one of them throws. */
    private void giveUp(Move move) {
        if (!move.copies.isEmpty()) {
            try {
                giveUpLast(move, move.held.orElseThrow());
            } finally {
                giveUp(move);
            }
        }
    }

    /** Gives back what was made last. */
    private void giveUpLast(Move move, Held held) {
        NewCopy copy = move.copies.removeLast();
        try {
            noteEnd(copy, held);
        } finally {
            try {
                copy.backend().medium.abort(copy.copy());
            } finally {
                move.reach().ends(copy.backend()); // its end is noted: who discards the block finds that
            }
        }
    }

    /** Its record is in the medium already; who discards the block after this move has to know. */
    private void noteEnd(NewCopy copy, Held held) {
        ends.note(copy.backend(), copy.copy(), () -> index.hash(held.key()));
    }

    /** A life that was changed during the copy goes to the record that was written with the old one. */
    private void keepLife(Entry entry, Held held, NewCopy copy) {
        OptionalLong then = held.record(copy.part()).diesAtMillis();
        OptionalLong now = entries.lives().recordKey(entry, copy.part()).diesAtMillis();
        if (then.isPresent() != now.isPresent() || Math.abs(then.orElse(0) - now.orElse(0)) > LIFE_MILLIS_APART) {
            entries.lives().recordAgain(entry, copy);
        }
    }

    /** Whether every copy that was made is findable now, and the source is not. What is findable is none of the move's any more. */
    private boolean swap(Move move, Entry entry, Held held) {
        Transition transition = move.transition;
        boolean up = transition.kind() == Kind.PROMOTION;
        if (move.copies.stream().anyMatch(copy -> entries.namesAt(entry, copy.place()))) {
            return false;
        }
        int parts = move.copies.size();
        while (!move.copies.isEmpty() && states.publishCopy(entry, move.copies.getFirst(), up)) {
            keepLife(entry, held, move.copies.removeFirst());
        }
        // From where nothing can be written a copy does not leave: memory could not put it back there, and where no end
        // is ever written it would be back after a restart, also of a block that is deleted later.
        boolean leaves = !up
                || (transition.source().medium.writable()
                        && transition.source().tier.promotion().stream().anyMatch(Promotion::move));
        if (move.copies.isEmpty() && leaves) {
            List<Long> carried = transition.parts().stream().map(Part::copy).toList();
            move.doomed.addAll(states.drop(entry, transition.source(), carried, up ? Left.PROMOTED : Left.DEMOTED));
        }
        return parts > 0 && move.copies.isEmpty();
    }
}
