package io.tidemark.core.pool;

import io.tidemark.core.pool.Move.How;
import io.tidemark.core.pool.Transition.Kind;
import io.tidemark.core.pool.Transition.Outcome;
import io.tidemark.core.pool.Transition.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What the transition workers do: some moves after the others, and the end of each. A demotion that finds no room is tried
 * again; when its time is over the copy is dropped, counted by reason, unless a lease holds it: then it stays.
 */
final class TransitionWork {
    /** Demotions that are ended in one go. */
    private static final int HOPELESS_AT_ONCE = 256;

    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TransitionQueue queue;
    private final TierGraph graph;
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
            TierGraph graph,
            Mover mover,
            Blocks blocks,
            Evictions evictions,
            TransitionCounters counters,
            Clocks clocks,
            Runnable finished) {
        this.queue = queue;
        this.graph = graph;
        this.mover = mover;
        index = blocks.index();
        entries = blocks.entries();
        states = blocks.states();
        this.evictions = evictions;
        this.counters = counters;
        this.clocks = clocks;
        this.finished = finished;
    }

    /**
     * Performs what is due, beside other workers. True: its time was over before, so that who watches the thread sees it
     * turn, also where work comes as fast as it is done.
     */
    boolean run() {
        long endNanos = clocks.monotonicNanos() + TURN_NANOS;
        List<Transition> next = queue.next();
        while (!next.isEmpty()) {
            carry(next);
            if (clocks.monotonicNanos() - endNanos >= 0) {
                return true;
            }
            next = queue.next();
        }
        return false;
    }

    /**
     * Ends demotions that wait for tiers of which nothing works, on a thread that carries nothing: the workers may all be kept
     * by a device that hangs, and what waits for it holds the space that puts want.
     */
    void endHopeless() {
        Set<Backend> sources = graph.backends().stream()
                .filter(source -> !graph.tierOf(source).below().isEmpty() && !graph.worksBelow(source))
                .collect(Collectors.toSet());
        if (sources.isEmpty()) {
            return;
        }
        List<Transition> hopeless = new ArrayList<>(HOPELESS_AT_ONCE);
        do {
            hopeless.clear();
            try {
                queue.takeDemotions(sources::contains, HOPELESS_AT_ONCE, hopeless);
            } finally {
                endAll(hopeless, 0);
            }
        } while (!hopeless.isEmpty());
    }

    /** Each one from this on ends, also where another one throws. */
    private void endAll(List<Transition> hopeless, int at) {
        if (at < hopeless.size()) {
            try {
                over(hopeless.get(at), Outcome.UNHEALTHY);
            } finally {
                endAll(hopeless, at + 1);
            }
        }
    }

    private void carry(List<Transition> batch) {
        List<Move> moves = List.of();
        try {
            moves = batch.stream().map(Move::new).toList();
            mover.begin(moves);
        } finally {
            finish(batch, moves, 0);
        }
    }

    /** Each one from this on ends, also where another one throws; what was not even begun stays where it is. */
    private void finish(List<Transition> batch, List<Move> moves, int at) {
        if (at == batch.size()) {
            return;
        }
        try {
            Outcome outcome = Outcome.SKIPPED;
            How how = How.ALONE;
            try {
                if (at < moves.size()) {
                    outcome = mover.finish(moves.get(at));
                    how = moves.get(at).how;
                }
            } finally {
                ended(batch.get(at), how, outcome);
            }
        } finally {
            finish(batch, moves, at + 1);
        }
    }

    private void ended(Transition transition, How how, Outcome outcome) {
        boolean roomless = transition.kind() == Kind.DEMOTION && outcome == Outcome.NO_ROOM;
        Outcome last = roomless ? Outcome.SKIPPED : outcome; // where it cannot be queued again it stays where it is
        boolean waits = false;
        try {
            if (roomless) {
                waits = queuedAgain(transition, how);
                last = outcome;
            }
        } finally {
            try {
                if (!waits) {
                    over(transition, last);
                }
            } finally {
                finished.run();
            }
        }
    }

    /** False: its time is over. */
    private boolean queuedAgain(Transition transition, How how) {
        if (how == How.APART) {
            queue.alone(transition);
            return true;
        }
        if (clocks.monotonicNanos() - transition.giveUpNanos() < 0) {
            counters.retried(); // first: what is in the queue again is not the caller's any more, whatever fails
            queue.again(transition, how == How.TOGETHER);
            return true;
        }
        return false;
    }

    private void over(Transition transition, Outcome outcome) {
        boolean stranded = transition.kind() == Kind.DEMOTION && outcome != Outcome.LANDED;
        try {
            counters.ended(transition.kind(), outcome);
            if (outcome == Outcome.DAMAGED) {
                transition.source().damaged();
            }
        } finally {
            try {
                if (stranded || outcome == Outcome.DAMAGED) {
                    giveUp(transition, outcome);
                }
            } finally {
                queue.done(transition);
            }
        }
    }

    /** A move will not happen: what it was to carry is dropped for want of room or because it is damaged, or stays. */
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
                doomed = drop(entry, transition.source(), left, whole ? outcome : Outcome.SKIPPED);
            }
        } finally {
            try {
                states.cancelMove(transition.source(), transition.parts()); // what was not dropped, for whatever reason
            } finally {
                stripe.lock.unlock();
            }
        }
        evictions.free(doomed);
    }

    private Optional<Entry> owner(Transition transition, long copy) {
        return entries.owner(transition.entry(), transition.source(), copy);
    }

    /** Drops what a failed move was to carry, unless it has to stay. */
    private List<Doomed> drop(Entry entry, Backend source, List<Long> copies, Outcome outcome) {
        if (outcome == Outcome.DAMAGED) {
            // As at a read. Nobody is answered, so no end is waited for: what comes back is found out again.
            return states.drop(entry, source, copies, Left.CORRUPT);
        }
        boolean promised = entries.unit(entry, source).stream().anyMatch(unit -> unit.leased() && unit.last());
        if (outcome == Outcome.SKIPPED || promised) {
            return List.of();
        }
        counters.droppedOnlyCopy(
                outcome == Outcome.NO_ROOM ? TransitionCounters.NO_SPACE : TransitionCounters.UNHEALTHY);
        return states.drop(entry, source, copies, Left.CAPACITY);
    }
}
