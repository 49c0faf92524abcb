package io.tidemark.core.pool;

import io.tidemark.core.medium.Medium;
import io.tidemark.core.pool.Transition.Kind;
import io.tidemark.core.pool.Transition.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
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
    /** Entries whose reads from below are counted at most. */
    private static final int COUNTED_LIMIT = 65_536;

    /** An entry with one value: its row may come to belong to another block. */
    private record Counted(int entry, long generation) {}

    private record Later(Transition transition, long dueNanos) {}

    private final CopyStates states;
    private final TierGraph graph;
    private final PoolLimits limits;
    private final Clocks clocks;
    private final Runnable wake;
    private final TransitionLanes ready = new TransitionLanes();
    private final PriorityQueue<Later> later = new PriorityQueue<>(byDue());
    /** Entries with a queued or running promotion. */
    private final Set<Integer> promoting = new HashSet<>();
    /** Reads from below, of entries that are not promoted yet, from the oldest on. */
    private final Map<Counted, Integer> hits = new LinkedHashMap<>();

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
    private static Comparator<Later> byDue() {
        return (a, b) -> Long.signum(a.dueNanos() - b.dueNanos());
    }

    /** Queues a demotion of the entry's unit in this backend; its allocated bytes, or -1. Under the entry's lock. */
    long demote(Entry entry, Backend source) {
        if (size() >= limits.transitionQueue()) {
            return -1;
        }
        List<Part> parts = parts(entry, source);
        long bytes = states.beginMove(entry, source);
        if (bytes >= 0) {
            long giveUp = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(limits.demotionRetryMillis());
            add(new Transition(Kind.DEMOTION, entry.id(), source, parts, bytes, joint(entry, source), giveUp, 0));
        }
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
        if (rule.isEmpty()
                || size() >= limits.transitionQueue()
                || !countHit(
                        new Counted(entry.id(), entry.rows().generation(entry.row())),
                        rule.get().hits())) {
            return;
        }
        List<Part> parts = parts(entry, source);
        long bytes = parts.stream()
                .mapToLong(part -> source.copies().allocatedBytes(part.copy()))
                .sum();
        long now = clocks.monotonicNanos();
        add(new Transition(Kind.PROMOTION, entry.id(), source, parts, bytes, Optional.empty(), now, 0));
    }

    /** Counts one read; whether it is the one that promotes. */
    private synchronized boolean countHit(Counted read, int needed) {
        if (promoting.contains(read.entry())) {
            return false;
        }
        if (needed > 1 && hits.merge(read, 1, Integer::sum) < needed) {
            if (hits.size() > COUNTED_LIMIT) {
                hits.remove(hits.keySet().iterator().next());
            }
            return false;
        }
        hits.remove(read);
        promoting.add(read.entry());
        return true;
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

    private void add(Transition transition) {
        synchronized (this) {
            ready.add(transition);
        }
        wake.run();
    }

    /** Transitions that wait or run. */
    synchronized int size() {
        return ready.size() + later.size() + running.size();
    }

    /** A copy that a demotion is to carry. */
    record Source(int backend, long copy) {}

    /** What demotions that wait or run are to carry: these copies, and no others, are MOVING. */
    synchronized Set<Source> sources() {
        return Stream.of(ready.all(), later.stream().map(Later::transition), running.stream())
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
        while (!later.isEmpty() && later.peek().dueNanos() - now <= 0) {
            ready.add(later.remove().transition());
        }
        long allowed = limits.transitionBytes() - runningBytes;
        boolean fits = running.isEmpty()
                || ready.first().filter(first -> first.bytes() <= allowed).isPresent();
        List<Transition> batch = fits ? ready.take(Math.min(BATCH_BYTES, allowed), BATCH_PARTS) : List.of();
        batch.forEach(this::began);
        return batch;
    }

    /**
     * Takes demotions that wait, from sources of which this holds, so many at most: to be ended by one who carries nothing.
     * The caller ends each with {@link #done}.
     */
    synchronized List<Transition> takeDemotions(Predicate<Backend> from, int most) {
        Predicate<Transition> wanted =
                transition -> transition.kind() == Kind.DEMOTION && from.test(transition.source());
        List<Transition> taken = ready.takeIf(wanted, most);
        Iterator<Later> waiting = later.iterator();
        while (waiting.hasNext() && taken.size() < most) {
            Transition next = waiting.next().transition();
            if (wanted.test(next)) {
                waiting.remove();
                taken.add(next);
            }
        }
        taken.forEach(this::began);
        return taken;
    }

    private void began(Transition transition) {
        running.add(transition);
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
     * A demotion found no room: it waits, longer each time.
     *
     * @param joins whether it may go together with others still; they would fail with it
     */
    synchronized void again(Transition transition, boolean joins) {
        ended(transition);
        long pause = FIRST_PAUSE_NANOS << Math.min(transition.tries(), PAUSE_DOUBLINGS);
        Transition next = joins ? transition.again() : transition.again().alone();
        later.add(new Later(next, clocks.monotonicNanos() + pause));
    }

    /** What could not be done together with others is to be tried alone, at once. */
    void alone(Transition transition) {
        synchronized (this) {
            ended(transition);
            ready.add(transition.alone());
        }
        wake.run();
    }

    /** A transition is over. */
    synchronized void done(Transition transition) {
        ended(transition);
        if (transition.kind() == Kind.PROMOTION) {
            promoting.remove(transition.entry());
        }
    }

    private void ended(Transition transition) {
        running.remove(transition);
        runningBytes -= transition.bytes();
        notifyAll();
    }
}
