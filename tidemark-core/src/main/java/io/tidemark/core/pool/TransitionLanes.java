package io.tidemark.core.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Transitions that are due: those that one device takes from one backend together stand in a lane of their own, all that
 * move alone in another. What has waited longest goes first, with what waits behind it in its lane. Guarded by its owner.
 */
final class TransitionLanes {
    private record Lane(Backend source, Backend device) {}

    private record Waiting(long number, Transition transition) {}

    private final Map<Optional<Lane>, Deque<Waiting>> lanes = new LinkedHashMap<>();
    private long added = 0;
    private int size = 0;

    void add(Transition transition) {
        Optional<Lane> lane = transition.joint().map(device -> new Lane(transition.source(), device));
        lanes.computeIfAbsent(lane, any -> new ArrayDeque<>()).addLast(new Waiting(added++, transition));
        size++;
    }

    int size() {
        return size;
    }

    Stream<Transition> all() {
        return lanes.values().stream().flatMap(Deque::stream).map(Waiting::transition);
    }

    /** The one that has waited longest. */
    Optional<Transition> first() {
        return oldest().map(lane -> lane.getFirst().transition());
    }

    /**
     * Takes the {@linkplain #first first one}, and what goes with it while all of them stay within these bounds.
     *
     * @return empty when nothing is due
     */
    List<Transition> take(long bytesMax, int partsMax) {
        List<Transition> batch = new ArrayList<>();
        Deque<Waiting> lane = oldest().orElseGet(ArrayDeque::new);
        long bytes = 0;
        int parts = 0;
        while (!lane.isEmpty()) {
            Transition next = lane.getFirst().transition();
            bytes += next.bytes();
            parts += next.parts().size();
            if (!batch.isEmpty() && (next.joint().isEmpty() || bytes > bytesMax || parts > partsMax)) {
                break;
            }
            batch.add(next);
            lane.removeFirst();
            size--;
        }
        return batch;
    }

    /** Takes transitions of which this holds, so many at most, wherever they stand. */
    List<Transition> takeIf(Predicate<Transition> wanted, int most) {
        List<Transition> taken = new ArrayList<>();
        for (Deque<Waiting> lane : lanes.values()) {
            Iterator<Waiting> waiting = lane.iterator();
            while (waiting.hasNext() && taken.size() < most) {
                Transition next = waiting.next().transition();
                if (wanted.test(next)) {
                    waiting.remove();
                    taken.add(next);
                }
            }
        }
        size -= taken.size();
        return taken;
    }

    /** There are few lanes, and they stay. */
    private Optional<Deque<Waiting>> oldest() {
        return lanes.values().stream()
                .filter(lane -> !lane.isEmpty())
                .min(Comparator.comparingLong(lane -> lane.getFirst().number()));
    }
}
