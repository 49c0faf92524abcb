package io.tidemark.index.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The contract of {@link VictimOrder} by key, written as plainly as it goes: a full sort at each walk. */
final class NaiveKeyOrder implements VictimOrder {
    private record Taker(long first, long second, long third, int node) {}

    private static final Comparator<Taker> COLDEST_FIRST = Comparator.comparingLong(Taker::first)
            .thenComparingLong(Taker::second)
            .thenComparingLong(Taker::third)
            .thenComparingInt(Taker::node);

    private final KeyFunction key;
    private final Set<Integer> members = new TreeSet<>();
    private final Map<Integer, Taker> takers = new HashMap<>();
    private final Set<Integer> joined = new HashSet<>();
    private boolean walking;

    NaiveKeyOrder(KeyFunction key) {
        this.key = key;
    }

    @Override
    public void added(int node) {
        if (members.add(node) && walking) {
            joined.add(node);
        }
    }

    @Override
    public void touched(int node) {}

    @Override
    public void touchedBehind(int node, int ahead) {}

    @Override
    public void removed(int node) {
        members.remove(node);
        takers.remove(node);
        joined.remove(node);
    }

    @Override
    public boolean contains(int node) {
        return members.contains(node);
    }

    @Override
    public int size() {
        return members.size();
    }

    @Override
    public void beginWalk() {
        walking = true;
        for (int node : members) {
            takers.put(node, taker(node));
        }
    }

    @Override
    public int popNext() {
        List<Taker> sorted = new ArrayList<>(takers.values());
        sorted.sort(COLDEST_FIRST);
        if (sorted.isEmpty()) {
            return NONE;
        }
        int node = sorted.getFirst().node();
        takers.remove(node);
        return node;
    }

    @Override
    public void promote(int node) {
        if (joined.remove(node)) {
            takers.put(node, taker(node));
        }
    }

    @Override
    public void endWalk() {
        walking = false;
        takers.clear();
        joined.clear();
    }

    @Override
    public void clear() {
        members.clear();
        endWalk();
    }

    private Taker taker(int node) {
        return new Taker(
                key.first(node), key.parts() > 1 ? key.second(node) : 0, key.parts() > 2 ? key.third(node) : 0, node);
    }
}
