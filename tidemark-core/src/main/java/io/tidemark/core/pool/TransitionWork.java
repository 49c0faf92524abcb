package io.tidemark.core.pool;

import io.tidemark.core.pool.Transition.Kind;
import io.tidemark.core.pool.Transition.Outcome;
import io.tidemark.core.pool.Transition.Part;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the transition workers do: some moves after the others, and the end of each. A demotion that finds no room is tried
 * again; when its time is over the copy is dropped, counted by reason, unless a lease holds it: then it stays.
 */
final class TransitionWork {
    private final TransitionQueue queue;
    private final Mover mover;
    private final EntryIndex index;
    private final Entries entries;
    private final CopyStates states;
    private final Evictions evictions;
    private final Clocks clocks;
    private final TransitionCounters counters;
    private final Runnable finished;

    /** @param finished called when a transition has ended; must not block */
    TransitionWork(
            TransitionQueue queue,
            Mover mover,
            EntryIndex index,
            Entries entries,
            CopyStates states,
            Evictions evictions,
            TransitionCounters counters,
            Clocks clocks,
            Runnable finished) {
        this.queue = queue;
        this.mover = mover;
        this.index = index;
        this.entries = entries;
        this.states = states;
        this.evictions = evictions;
        this.counters = counters;
        this.clocks = clocks;
        this.finished = finished;
    }

    /** Performs what is due, beside other workers. */
    void run() {
        List<Transition> next = queue.next();
        while (!next.isEmpty()) {
            List<Move> moves = next.stream().map(Move::new).toList();
            try {
                mover.begin(moves);
            } finally {
                // What is copied already ends first: nobody who waits for it waits for the others.
                finish(Stream.concat(
                                moves.stream().filter(Move::landed),
                                moves.stream().filter(move -> !move.landed()))
                        .toList());
            }
            next = queue.next();
        }
    }

    /** Each one ends, also where another one throws. */
    private void finish(List<Move> moves) {
        if (moves.isEmpty()) {
            return;
        }
        Move first = moves.getFirst();
        try {
            Outcome outcome = Outcome.SKIPPED;
            try {
                outcome = mover.finish(first);
            } finally {
                ended(first.transition, outcome);
            }
        } finally {
            finish(moves.subList(1, moves.size()));
        }
    }

    private void ended(Transition transition, Outcome outcome) {
        boolean demotion = transition.kind() == Kind.DEMOTION;
        boolean inTime = clocks.monotonicNanos() - transition.giveUpNanos() < 0;
        if (demotion && outcome == Outcome.NO_ROOM && inTime) {
            counters.retried();
            queue.again(transition);
        } else {
            counters.ended(transition.kind(), outcome);
            if (demotion && outcome != Outcome.LANDED) {
                giveUp(transition, outcome);
            }
            queue.done(transition);
        }
        finished.run();
    }

    /** A demotion will not happen: what it was to carry is dropped for want of room, or stays. */
    private void giveUp(Transition transition, Outcome outcome) {
        EntryStripe stripe = index.stripeOf(transition.entry());
        List<Doomed> doomed = List.of();
        stripe.lock.lock();
        try {
            // Any part may have been set again since; then the entry names another copy of it.
            List<Long> left = transition.parts().stream()
                    .map(Part::copy)
                    .filter(copy -> owner(transition, copy).isPresent())
                    .toList();
            if (!left.isEmpty()) {
                Entry entry = owner(transition, left.getFirst()).orElseThrow();
                boolean whole = left.size() == transition.parts().size();
                doomed = dropOrKeep(entry, transition.source(), left, whole ? outcome : Outcome.SKIPPED);
            }
        } finally {
            stripe.lock.unlock();
        }
        evictions.free(doomed);
    }

    private Optional<Entry> owner(Transition transition, long copy) {
        return entries.owner(transition.entry(), transition.source(), copy);
    }

    private List<Doomed> dropOrKeep(Entry entry, Backend source, List<Long> copies, Outcome outcome) {
        boolean promised = entries.unit(entry, source).stream().anyMatch(unit -> unit.leased() && unit.last());
        if (outcome == Outcome.SKIPPED || promised) {
            states.cancelMove(source, copies);
            return List.of();
        }
        counters.droppedOnlyCopy(outcome == Outcome.NO_ROOM ? "no_space" : "unhealthy");
        return states.drop(entry, source, copies, Left.CAPACITY);
    }
}
