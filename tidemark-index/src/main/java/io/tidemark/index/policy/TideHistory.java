package io.tidemark.index.policy;

import java.util.Arrays;

/**
 * What {@code tide} remembers of each block, in the tier or gone: the tick of its last use and how often it was used
 * again. A block that went unused for {@link TideHazards#HORIZON} ticks starts over. Each use, and each tick that a block
 * waits for one, teaches the hazards.
 *
 * <p>A node stands for the block that its identity names. When another one has come in its place, the former is a ghost.
 */
final class TideHistory {
    static final int CLASSES = 6;

    private final NodeFacts facts;
    private final TideHazards hazards;
    private final TideGhosts ghosts;
    private final PagedLongs identities = new PagedLongs();
    private final PagedLongs uses = new PagedLongs();
    /** Blocks by class and slot of their last tick, none older than the horizon. */
    private final int[][] waiting = new int[CLASSES][TideHazards.HORIZON];

    private int tick;
    private long fills;

    TideHistory(NodeFacts facts, TideHazards hazards, int ghostFactor) {
        this.facts = facts;
        this.hazards = hazards;
        this.ghosts = new TideGhosts(ghostFactor, use -> count(use, -1));
    }

    int tick() {
        return tick;
    }

    /** Blocks that came in. */
    long fills() {
        return fills;
    }

    /** Bounds what is remembered by the blocks in the tier. */
    void fit(int blocks) {
        ghosts.fit(blocks);
    }

    /** Ticks since the node's last use; the horizon when it lies beyond. */
    int age(int node) {
        return ageOf(uses.get(node));
    }

    int blockClass(int node) {
        return TideUse.classOf(uses.get(node));
    }

    /** Where blocks of the age stand in an array that turns with the ticks. */
    int slotOfAge(int age) {
        return Math.floorMod(tick - age, TideHazards.HORIZON);
    }

    /** Whether the node stands for a block that was here before. */
    boolean isKnown(int node) {
        return uses.get(node) != TideUse.NEVER && identities.get(node) == facts.identity(node);
    }

    /** Whether the owner's facts tell of a use, or another block, since the last that this heard of. */
    boolean isBehind(int node) {
        return !isKnown(node) || TideUse.isBehind(uses.get(node), facts.hits(node));
    }

    /** The node's block was used, or came in. */
    void used(int node) {
        if (!isKnown(node)) {
            replace(node);
        }
        long before = uses.get(node);
        int age = ageOf(before);
        int reuses = 0;
        if (age < TideHazards.HORIZON) {
            hazards.used(TideUse.classOf(before), age);
            count(before, -1);
            reuses = TideUse.reuses(before) + 1;
        }
        long now = TideUse.of(tick, facts.hits(node), facts.incompleteTail(node), reuses);
        uses.set(node, now);
        count(now, 1);
    }

    /** The owner says whether the block is an incomplete tail: not a use. */
    void described(int node) {
        long before = uses.get(node);
        if (before != TideUse.NEVER && TideUse.isTail(before) != facts.incompleteTail(node)) {
            count(before, -1);
            long now = TideUse.of(
                    TideUse.tick(before), facts.hits(node), facts.incompleteTail(node), TideUse.reuses(before));
            uses.set(node, now);
            count(now, 1);
        }
    }

    /** Ends the tick: what waits has waited one more. */
    void nextTick() {
        for (int blockClass = 0; blockClass < CLASSES; blockClass++) {
            for (int age = 0; age < TideHazards.HORIZON; age++) {
                hazards.waited(blockClass, age, waiting[blockClass][slotOfAge(age)]);
            }
        }
        tick++;
        for (int[] bySlot : waiting) {
            bySlot[slotOfAge(0)] = 0;
        }
    }

    /** Forgets the blocks; what was learned stays. */
    void clear() {
        identities.clear();
        uses.clear();
        ghosts.clear();
        for (int[] bySlot : waiting) {
            Arrays.fill(bySlot, 0);
        }
    }

    /** The node stands for another block now, which may have been here before. */
    private void replace(int node) {
        long gone = uses.get(node);
        if (ageOf(gone) < TideHazards.HORIZON) {
            ghosts.put(identities.get(node), gone);
        }
        fills++;
        identities.set(node, facts.identity(node));
        uses.set(node, ghosts.take(facts.identity(node)));
    }

    private int ageOf(long use) {
        return use == TideUse.NEVER ? TideHazards.HORIZON : Math.min(TideHazards.HORIZON, tick - TideUse.tick(use));
    }

    /** Counts a block among those that wait; not beyond the horizon, where none is counted. */
    private void count(long use, int delta) {
        int age = ageOf(use);
        if (age < TideHazards.HORIZON) {
            waiting[TideUse.classOf(use)][slotOfAge(age)] += delta;
        }
    }
}
