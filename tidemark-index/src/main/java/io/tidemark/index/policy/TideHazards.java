package io.tidemark.index.policy;

import java.util.Arrays;

/**
 * Learns how likely a block is to be used next, by its class and by how long it has waited, and turns that into a
 * Gittins index: the best rate of hits that holding the block for some further time can bring, per tick of space.
 *
 * <p>Per class and age two decayed sums are kept: uses that came at that age, and blocks that were seen waiting at it.
 * Uses among both are the hazard. Thin data leans on all classes together, and ages are merged until a bin has seen
 * enough. Only {@code + - * /} and comparisons: the same on every machine.
 */
final class TideHazards {
    /** Ages run from 0 to below this, in ticks; older blocks are forgotten. */
    static final int HORIZON = 512;

    /** Halves in 256 ticks. */
    private static final double DECAY = 0.9972960560854701;
    /** Blocks' worth of the common hazard that every bin starts with. */
    private static final double PRIOR = 8;
    /** Waiting blocks that a bin of merged ages must have seen. */
    private static final double BIN_EXPOSURE = 64;

    private final int classes;
    private final double[][] uses;
    private final double[][] exposure;
    private final double[][] index;
    private final double[] allUses = new double[HORIZON];
    private final double[] allExposure = new double[HORIZON];
    private final double[] common = new double[HORIZON];
    private final double[] hazard = new double[HORIZON];
    private final double[] held = new double[HORIZON + 1];
    private final double[] hits = new double[HORIZON + 1];
    private final int[] hull = new int[HORIZON + 1];

    TideHazards(int classes) {
        this.classes = classes;
        this.uses = new double[classes][HORIZON];
        this.exposure = new double[classes][HORIZON];
        this.index = new double[classes][HORIZON];
    }

    /** A block of the class was used at this age. */
    void used(int blockClass, int age) {
        uses[blockClass][age]++;
    }

    /** At the end of a tick: so many blocks of the class and age went unused. Once for each class and age. */
    void waited(int blockClass, int age, int blocks) {
        uses[blockClass][age] *= DECAY;
        exposure[blockClass][age] = exposure[blockClass][age] * DECAY + blocks;
    }

    /** The index as last {@linkplain #rate rated}; higher is worth more. */
    double worth(int blockClass, int age) {
        return index[blockClass][age];
    }

    /** Brings every index up to date. */
    void rate() {
        rateCommon();
        for (int c = 0; c < classes; c++) {
            smooth(uses[c], exposure[c]);
            gittins(index[c]);
        }
    }

    /** The hazard of the class that was rated last. */
    double lastHazard(int age) {
        return hazard[age];
    }

    private void rateCommon() {
        Arrays.fill(allUses, 0);
        Arrays.fill(allExposure, 0);
        for (int c = 0; c < classes; c++) {
            for (int age = 0; age < HORIZON; age++) {
                allUses[age] += uses[c][age];
                allExposure[age] += exposure[c][age];
            }
        }
        Arrays.fill(common, 0);
        smooth(allUses, allExposure);
        System.arraycopy(hazard, 0, common, 0, HORIZON);
    }

    /** Sets {@link #hazard}: bins of ages grow until they have seen enough waiting, the prior fills what is thin. */
    private void smooth(double[] someUses, double[] someExposure) {
        int from = 0;
        while (from < HORIZON) {
            double binUses = 0;
            double binExposure = 0;
            double binPrior = 0;
            int to = from;
            while (to < HORIZON && (to == from || binExposure < BIN_EXPOSURE)) {
                binUses += someUses[to];
                binExposure += someExposure[to];
                binPrior += common[to];
                to++;
            }
            double prior = binPrior / (to - from);
            double rate = (binUses + PRIOR * prior) / (binExposure + binUses + PRIOR);
            Arrays.fill(hazard, from, to, rate);
            from = to;
        }
    }

    /**
     * The index at an age is the steepest slope from there to any later point of the curve (time held, hits), a block
     * being held until it is used. Right to left, the points that can be steepest form an upper hull.
     */
    private void gittins(double[] target) {
        double survival = 1;
        for (int age = 0; age < HORIZON; age++) {
            held[age + 1] = held[age] + survival;
            hits[age + 1] = hits[age] + survival * hazard[age];
            survival *= 1 - hazard[age];
        }
        int top = 0;
        hull[0] = HORIZON;
        for (int age = HORIZON - 1; age >= 0; age--) {
            while (top > 0 && slope(age, hull[top - 1]) >= slope(age, hull[top])) {
                top--;
            }
            target[age] = slope(age, hull[top]);
            hull[++top] = age;
        }
    }

    private double slope(int from, int to) {
        double time = held[to] - held[from];
        return time > 0 ? (hits[to] - hits[from]) / time : 0;
    }
}
