package io.tidemark.core.pool;

import io.tidemark.core.medium.Medium;
import io.tidemark.core.pool.Transition.Kind;
import io.tidemark.core.pool.Transition.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Demotions and promotions that wait or run; bounded in number, and in bytes under way. The monitor guards the queues, and
 * is a leaf below the entry locks.
 */
final class TransitionQueue {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** The pause before a try grows to about a second. */
    private static final int PAUSE_DOUBLINGS = 10;
    /** A worker takes this much at once at most, unless a single block is larger. */
    private static final long BATCH_BYTES = 1 << 20;

    private static final int BATCH_PARTS = Medium.TOGETHER_MAX;

    /** When a transition is due, and which of those that are due at once comes first. */
    private record Due(long nanos, long number) {}

    private final CopyStates states;
    private final TierGraph graph;
    private final PoolLimits limits;
    private final Clocks clocks;
    private final Runnable wake;
    private final TransitionLanes ready = new TransitionLanes();
    /** As in the lanes, whatever finds no memory changes nothing here. */
    private final NavigableMap<Due, Transition> later = new TreeMap<>(byDue());

    private long postponed = 0;
    private final PromotionHits hits = new PromotionHits();

    /** What workers carry now. */
    private final Set<Transition> running = new HashSet<>();

    private long runningBytes = 0;

    /** @param wake called when there is work; must not block */
    TransitionQueue(CopyStates states, TierGraph graph, PoolConfig config, Runnable wake) {
        this.states = states;
        this.graph = graph;
        this.wake = wake;
        limits = config.limits();
        clocks = config.clocks();
    }

    /** Differences, not values: the monotonic clock may wrap. */
    private static Comparator<Due> byDue() {
        return (a, b) -> Long.signum(a.nanos() != b.nanos() ? a.nanos() - b.nanos() : a.number() - b.number());
    }

    /**
     * Queues a demotion of the entry's unit in this backend; its allocated bytes, or -1. Under the entry's lock. Copies that
     * are not queued are not moving, whatever happens.
     */
    long demote(Entry entry, Backend source) {
        if (size() >= limits.transitionQueue()) {
            return -1;
        }
        List<Part> parts = parts(entry, source);
        Optional<Backend> joint = joint(entry, source);
        long giveUp = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(limits.demotionRetryMillis());
        long bytes = states.beginMove(source, parts);
        if (bytes < 0) {
            return -1;
        }
        boolean queued = false;
        try {
            add(new Transition(
                    Kind.DEMOTION, entry.id(), source, parts, bytes, joint, giveUp, 0, new Transition.Reach()));
            queued = true;
        } finally {
            if (!queued) {
                states.cancelMove(source, parts);
            }
        }
        wake.run();
        return bytes;
    }

    /** The device that takes blocks of this backend together: only what comes from memory can be written so. */
    private Optional<Backend> joint(Entry entry, Backend source) {
        return source.isDevice()
                ? Optional.empty()
                : graph.firstBelow(source, entry.key()).filter(Backend::isDevice);
    }

    /** A block was read from this backend: queues its promotion where its tier says so. Under the entry's lock. */
    void wasRead(Entry entry, Backend source) {
        Optional<Promotion> rule = source.tier.promotion();
        if (rule.isEmpty() || size() >= limits.transitionQueue()) {
            return;
        }
        Integer id = entry.id();
        if (!hits.count(id, entry.rows().generation(entry.row()), rule.get().hits())) {
            return;
        }
        boolean queued = false;
        try {
            add(promotion(id, parts(entry, source), source));
            queued = true;
        } finally {
            if (!queued) {
                hits.over(id);
            }
        }
        wake.run();
    }

    private Transition promotion(Integer entry, List<Part> parts, Backend source) {
        long bytes = parts.stream()
                .mapToLong(part -> source.copies().allocatedBytes(part.copy()))
                .sum();
        long now = clocks.monotonicNanos();
        return new Transition(
                Kind.PROMOTION, entry, source, parts, bytes, Optional.empty(), now, 0, new Transition.Reach());
    }

    private static List<Part> parts(Entry entry, Backend source) {
        List<Part> parts = new ArrayList<>(2);
        EntryRows rows = entry.rows();
        for (int cell = rows.firstCell(entry.row()); cell != EntryRows.NONE; cell = rows.next(cell)) {
            if (Place.backend(rows.place(cell)) == source.number) {
                parts.add(new Part(rows.handle(cell), Place.part(rows.place(cell))));
            }
        }
        return List.copyOf(parts);
    }

    private synchronized void add(Transition transition) {
        ready.add(transition);
    }

    /** Transitions that wait or run. */
    synchronized int size() {
        return ready.size() + later.size() + running.size();
    }

    /** A copy that a demotion is to carry. */
    record Source(int backend, long copy) {}

    /** What demotions that wait or run are to carry: these copies, and no others, are MOVING. */
    synchronized Set<Source> sources() {
        return Stream.of(ready.all(), later.values().stream(), running.stream())
                .flatMap(transitions -> transitions)
                .filter(transition -> transition.kind() == Kind.DEMOTION)
                .flatMap(transition ->
                        transition.parts().stream().map(part -> new Source(transition.source().number, part.copy())))
                .collect(Collectors.toSet());
    }

    /**
     * The next ones that are due and within the bytes allowed: demotions of small blocks from one backend to one device come
     * together. The caller ends each with {@link #done}, {@link #again} or {@link #alone}.
     */
    synchronized List<Transition> next() {
        long now = clocks.monotonicNanos();
        Iterator<Map.Entry<Due, Transition>> waiting = later.entrySet().iterator();
        boolean due = true;
        while (due && waiting.hasNext()) {
            Map.Entry<Due, Transition> first = waiting.next();
            due = first.getKey().nanos() - now <= 0;
            if (due) {
                ready.add(first.getValue());
                waiting.remove();
            }
        }
        long allowed = limits.transitionBytes() - runningBytes;
        boolean fits = running.isEmpty()
                || ready.first().filter(first -> first.bytes() <= allowed).isPresent();
        List<Transition> batch = fits ? ready.next(Math.min(BATCH_BYTES, allowed), BATCH_PARTS) : List.of();
        boolean taken = false;
        try {
            batch.forEach(this::began);
            ready.remove(batch.size());
            taken = true;
        } finally {
            if (!taken) {
                batch.forEach(this::ended);
            }
        }
        return batch;
    }

    /**
     * Takes demotions that wait, from sources of which this holds, so many at most: to be ended by one who carries nothing.
     *
     * @param taken has room for them, and gets them, also where this throws; the caller ends each with {@link #done}
     */
    synchronized void takeDemotions(Predicate<Backend> from, int most, List<Transition> taken) {
        Predicate<Transition> wanted =
                transition -> transition.kind() == Kind.DEMOTION && from.test(transition.source());
        ready.takeIf(wanted, most, transition -> take(transition, taken));
        Iterator<Transition> waiting = later.values().iterator();
        while (waiting.hasNext() && taken.size() < most) {
            Transition next = waiting.next();
            if (wanted.test(next)) {
                take(next, taken);
                waiting.remove();
            }
        }
    }

    private void take(Transition transition, List<Transition> taken) {
        began(transition);
        taken.add(transition);
    }

    /** A worker has it from here on; or, where there is no memory to note that, it has not. */
    private void began(Transition transition) {
        boolean noted = false;
        try {
            running.add(transition);
            noted = true;
        } finally {
            if (!noted) {
                running.remove(transition); // a table that could not grow may have it all the same
            }
        }
        runningBytes += transition.bytes();
    }

    /** Waits until no worker carries this copy; answers the transition that still does when that takes too long. */
    synchronized Optional<Transition> awaitEnd(Backend source, long copy, long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Optional<Transition> carrier = carrier(source, copy);
        while (carrier.isPresent()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return carrier;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return carrier;
            }
            carrier = carrier(source, copy);
        }
        return carrier;
    }

    private Optional<Transition> carrier(Backend source, long copy) {
        return running.stream()
                .filter(transition -> transition.source() == source
                        && transition.parts().stream().anyMatch(part -> part.copy() == copy))
                .findFirst();
    }

    /**
     * A demotion found no room: it waits, longer each time. Where this throws it is still the caller's to end.
     *
     * @param joins whether it may go together with others still; they would fail with it
     */
    synchronized void again(Transition transition, boolean joins) {
        long pause = FIRST_PAUSE_NANOS << Math.min(transition.tries(), PAUSE_DOUBLINGS);
        Transition next = joins ? transition.again() : transition.again().alone();
        later.put(new Due(clocks.monotonicNanos() + pause, postponed++), next);
        ended(transition);
    }

    /** What could not be done together with others is to be tried alone, at once. Where this throws it is still the caller's to end. */
    void alone(Transition transition) {
        synchronized (this) {
            ready.add(transition.alone());
            ended(transition);
        }
        wake.run();
    }

    /** A transition is over. */
    void done(Transition transition) {
        synchronized (this) {
            ended(transition);
        }
        if (transition.kind() == Kind.PROMOTION) {
            hits.over(transition.entry());
        }
    }

    private void ended(Transition transition) {
        if (running.remove(transition)) {
            runningBytes -= transition.bytes();
        }
        notifyAll();
    }
}
