package io.tidemark.index.replay;

import java.util.Arrays;

/**
 * What {@code tide} remembers of each block, resident or evicted: the tick of its last use and how often it was used
 * again before. A block that went unused for {@link TideHazards#HORIZON} ticks starts over.
 */
final class TideHistory {
    /** Incomplete tails, then blocks used again 0, 1, 2-3, 4-7 and 8 or more times. */
    static final int CLASSES = 6;

    private static final int NEVER = Integer.MIN_VALUE;

    private final Trace trace;
    private final TideHazards hazards;
    private final int[] lastTick;
    private final int[] reuses;
    /** Blocks by class and slot of their last tick, none older than the horizon. */
    private final int[][] waiting = new int[CLASSES][TideHazards.HORIZON];

    private int tick;

    TideHistory(Trace trace, TideHazards hazards) {
        this.trace = trace;
        this.hazards = hazards;
        this.lastTick = new int[trace.uniqueBlocks()];
        this.reuses = new int[trace.uniqueBlocks()];
        Arrays.fill(lastTick, NEVER);
    }

    int tick() {
        return tick;
    }

    /** Ticks since the last use; the horizon when it lies beyond. */
    int age(int block) {
        return lastTick[block] == NEVER ? TideHazards.HORIZON : Math.min(TideHazards.HORIZON, tick - lastTick[block]);
    }

    int blockClass(int block) {
        if (trace.isIncompleteTail(block)) {
            return 0;
        }
        int log2 = 32 - Integer.numberOfLeadingZeros(reuses[block]);
        return Math.min(log2 + 1, CLASSES - 1);
    }

    /** Where blocks of the age stand in an array that turns with the ticks. */
    int slotOfAge(int age) {
        return Math.floorMod(tick - age, TideHazards.HORIZON);
    }

    void used(int block) {
        int age = age(block);
        if (age < TideHazards.HORIZON) {
            hazards.used(blockClass(block), age);
            waiting[blockClass(block)][slotOfAge(age)]--;
            reuses[block]++;
        } else {
            reuses[block] = 0;
        }
        lastTick[block] = tick;
        waiting[blockClass(block)][slotOfAge(0)]++;
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
}
