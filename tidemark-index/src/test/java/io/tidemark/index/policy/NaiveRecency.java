package io.tidemark.index.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/** The contract of {@link RecencyList} over plain lists that are copied and searched. */
final class NaiveRecency implements VictimOrder {
    private final RecencyRule rule;
    private final IntPredicate alwaysFirst;
    private final List<Integer> firsts = new ArrayList<>();
    private final List<Integer> others = new ArrayList<>();
    private final Set<Integer> joined = new HashSet<>();
    private final Set<Integer> promotable = new HashSet<>();
    private final Set<Integer> overdue = new HashSet<>();
    private final List<Runnable> atEnd = new ArrayList<>();
    private final List<Integer> takers = new ArrayList<>();
    private boolean walking;

    NaiveRecency(RecencyRule rule, IntPredicate alwaysFirst) {
        this.rule = rule;
        this.alwaysFirst = alwaysFirst;
    }

    @Override
    public void added(int node) {
        if (contains(node)) {
            return;
        }
        if (walking) {
            joined.add(node);
            promotable.add(node);
            atEnd.add(() -> {
                if (contains(node)) {
                    joined.remove(node);
                    place(node);
                }
            });
        } else {
            place(node);
        }
    }

    @Override
    public void touched(int node) {
        touchedBehind(node, NONE);
    }

    @Override
    public void touchedBehind(int node, int ahead) {
        if (!contains(node)) {
            return;
        }
        if (walking) {
            atEnd.add(() -> use(node, ahead));
        } else {
            use(node, ahead);
        }
    }

    @Override
    public void removed(int node) {
        drop(node);
        joined.remove(node);
        promotable.remove(node);
        takers.remove(Integer.valueOf(node));
    }

    @Override
    public boolean contains(int node) {
        return firsts.contains(node) || others.contains(node) || joined.contains(node);
    }

    @Override
    public int size() {
        return firsts.size() + others.size() + joined.size();
    }

    @Override
    public void beginWalk() {
        walking = true;
        takers.addAll(firsts);
        takers.addAll(others);
    }

    @Override
    public int popNext() {
        return takers.isEmpty() ? NONE : takers.removeFirst();
    }

    @Override
    public void promote(int node) {
        if (!promotable.remove(node)) {
            return;
        }
        int firstsLeft = (int) takers.stream()
                .filter(taker -> alwaysFirst.test(taker) && !overdue.contains(taker))
                .count();
        boolean late = alwaysFirst.test(node) ? firstsLeft == 0 : rule.newestFirst();
        if (late) {
            overdue.add(node);
            takers.addFirst(node);
        } else {
            takers.add(alwaysFirst.test(node) ? firstsLeft : takers.size(), node);
        }
    }

    @Override
    public void endWalk() {
        walking = false;
        takers.clear();
        promotable.clear();
        overdue.clear();
        List<Runnable> work = List.copyOf(atEnd);
        atEnd.clear();
        for (Runnable step : work) {
            step.run();
        }
        joined.clear();
    }

    @Override
    public void clear() {
        firsts.clear();
        others.clear();
        joined.clear();
        promotable.clear();
        overdue.clear();
        takers.clear();
        atEnd.clear();
        walking = false;
    }

    private void use(int node, int ahead) {
        if (!rule.movesOnUse() || !contains(node)) {
            return;
        }
        if (joined.contains(node)) {
            return;
        }
        drop(node);
        if (others.contains(ahead) && !alwaysFirst.test(node)) {
            others.add(others.indexOf(ahead), node);
        } else {
            place(node);
        }
    }

    private void place(int node) {
        drop(node);
        if (alwaysFirst.test(node)) {
            firsts.add(node);
        } else {
            others.add(rule.newestFirst() ? 0 : others.size(), node);
        }
    }

    private void drop(int node) {
        firsts.remove(Integer.valueOf(node));
        others.remove(Integer.valueOf(node));
    }
}
