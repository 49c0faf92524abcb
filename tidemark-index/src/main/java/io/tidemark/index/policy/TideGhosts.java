package io.tidemark.index.policy;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * What {@code tide} remembers of blocks that are gone: a bounded table by identity, in groups of eight; a full group
 * forgets the one that was used longest ago. Grows with the tier, never shrinks.
 */
final class TideGhosts {
    private static final int GROUP_BITS = 3;
    private static final int GROUP = 1 << GROUP_BITS;
    private static final int MIN_GROUP_BITS = 5;
    private static final int MANY = 1 << 20;

    private final int factor;
    private final LongConsumer forgotten;
    private int groupBits = MIN_GROUP_BITS;
    private long[] identities = new long[1 << (groupBits + GROUP_BITS)];
    private long[] uses = new long[identities.length];

    /**
     * An empty table.
     *
     * @param factor ghosts for each block of the tier, up to a million in all; beyond, one for each block
     * @param forgotten hears of each use that the bound pushes out
     */
    TideGhosts(int factor, LongConsumer forgotten) {
        this.factor = factor;
        this.forgotten = forgotten;
    }

    /** Most ghosts that are kept. */
    int capacity() {
        return identities.length;
    }

    /** Makes room for the ghosts of a tier of so many blocks. */
    void fit(int blocks) {
        long wanted = Math.max(blocks, Math.min((long) factor * blocks, MANY));
        while (wanted > capacity() && groupBits + GROUP_BITS < 30) {
            grow();
        }
    }

    /** Takes a block's ghost out; {@link TideUse#NEVER} when there is none. */
    long take(long identity) {
        int from = groupOf(identity);
        for (int at = from; at < from + GROUP; at++) {
            if (identities[at] == identity && uses[at] != TideUse.NEVER) {
                long use = uses[at];
                uses[at] = TideUse.NEVER;
                return use;
            }
        }
        return TideUse.NEVER;
    }

    /** Remembers a block that is gone. */
    void put(long identity, long use) {
        int from = groupOf(identity);
        int oldest = from;
        for (int at = from; at < from + GROUP; at++) {
            if (uses[at] == TideUse.NEVER) {
                oldest = at;
                break;
            }
            if (TideUse.tick(uses[at]) < TideUse.tick(uses[oldest])) {
                oldest = at;
            }
        }
        if (uses[oldest] != TideUse.NEVER) {
            forgotten.accept(uses[oldest]);
        }
        identities[oldest] = identity;
        uses[oldest] = use;
    }

    void clear() {
        Arrays.fill(uses, TideUse.NEVER);
    }

    private int groupOf(long identity) {
        long mixed = identity * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> (Long.SIZE - groupBits)) << GROUP_BITS;
    }

    private void grow() {
        long[] oldIdentities = identities;
        long[] oldUses = uses;
        groupBits++;
        identities = new long[oldIdentities.length * 2];
        uses = new long[identities.length];
        for (int at = 0; at < oldUses.length; at++) {
            if (oldUses[at] != TideUse.NEVER) {
                put(oldIdentities[at], oldUses[at]);
            }
        }
    }
}
