package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Transitions that are due: those that one device takes from one backend together stand in a lane of their own, all that
 * move alone in another. What has waited longest goes first, with what waits behind it in its lane. Guarded by its owner.
 *
 * <p>Where memory is short a call throws and changes nothing: a transition that was lost would leave its copies moving for
 * good. So lanes are trees, which make a place of its own for what comes before they change, and give it back without
 * asking for memory. An array that has to grow loses what it holds where that fails.
 */
final class TransitionLanes {
    private record Lane(Backend source, Backend device) {}

    /** Each lane by the order in which its transitions came. */
    private final Map<Optional<Lane>, NavigableMap<Long, Transition>> lanes = new LinkedHashMap<>();

    private long added = 0;
    private int size = 0;

    void add(Transition transition) {
        Optional<Lane> lane = transition.joint().map(device -> new Lane(transition.source(), device));
        lanes.computeIfAbsent(lane, any -> new TreeMap<>()).put(added++, transition);
        size++;
    }

    int size() {
        return size;
    }

    Stream<Transition> all() {
        return lanes.values().stream().flatMap(lane -> lane.values().stream());
    }

    /** The one that has waited longest. */
    Optional<Transition> first() {
        return oldest().map(lane -> lane.values().iterator().next());
    }

    /** The {@linkplain #first first one}, and what goes with it while all of them stay within these bounds; they stay here. */
    List<Transition> next(long bytesMax, int partsMax) {
        List<Transition> batch = new ArrayList<>();
        long bytes = 0;
        int parts = 0;
        for (Transition next : oldest().map(NavigableMap::values).orElse(List.of())) {
            bytes += next.bytes();
            parts += next.parts().size();
            if (!batch.isEmpty() && (next.joint().isEmpty() || bytes > bytesMax || parts > partsMax)) {
                break;
            }
            batch.add(next);
        }
        return batch;
    }

    /** Takes away as many as {@link #next} has answered, if nothing has come or gone since. */
    void remove(int number) {
        Iterator<Transition> first =
                oldest().map(NavigableMap::values).orElse(List.of()).iterator();
        for (int i = 0; i < number; i++) {
            first.next();
            first.remove();
            size--;
        }
    }

    /** Takes transitions of which this holds, so many at most, wherever they stand; each is given away before it is taken. */
    void takeIf(Predicate<Transition> wanted, int most, Consumer<Transition> taken) {
        int left = most;
        for (NavigableMap<Long, Transition> lane : lanes.values()) {
            Iterator<Transition> waiting = lane.values().iterator();
            while (waiting.hasNext() && left > 0) {
                Transition next = waiting.next();
                if (wanted.test(next)) {
                    taken.accept(next);
                    waiting.remove();
                    size--;
                    left--;
                }
            }
        }
    }

    /** There are few lanes, and they stay. */
    private Optional<NavigableMap<Long, Transition>> oldest() {
        return lanes.values().stream()
                .filter(lane -> !lane.isEmpty())
                .min(Comparator.comparingLong(NavigableMap::firstKey));
    }
}
