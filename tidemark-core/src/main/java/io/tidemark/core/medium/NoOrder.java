package io.tidemark.core.medium;

import io.tidemark.index.policy.VictimOrder;

/** The order of a medium that keeps none: it has no members, so it offers nothing. */
enum NoOrder implements VictimOrder {
    INSTANCE;

    @Override
    public void added(int node) {}

    @Override
    public void addedColdest(int node) {}

    @Override
    public void touched(int node) {}

    @Override
    public void touchedBehind(int node, int ahead) {}

    @Override
    public void removed(int node) {}

    @Override
    public boolean contains(int node) {
        return false;
    }

    @Override
    public int size() {
        return 0;
    }

    @Override
    public void beginWalk() {}

    @Override
    public int popNext() {
        return NONE;
    }

    @Override
    public void promote(int node) {}

    @Override
    public void endWalk() {}

    @Override
    public void clear() {}
}
