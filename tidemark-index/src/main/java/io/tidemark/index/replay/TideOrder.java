package io.tidemark.index.replay;

import io.tidemark.index.policy.VictimOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * The order of {@code tide}. Blocks of one class and tick of last use are worth the same and hang in one list; once a
 * tick the lists are ranked by what {@link TideHazards} expects of them, the lowest first, the older of equals. Blocks
 * beyond the horizon hang in one list, oldest first, before all others.
 *
 * <p>A walk costs its victims. Nodes that join during a walk are seen by it without promotion when the rank of their
 * list is still to come.
 */
final class TideOrder implements VictimOrder {
    private static final int BEYOND = TideHistory.CLASSES * TideHazards.HORIZON;

    private final TideHistory history;
    private final TideHazards hazards;
    private final TideLists lists;
    private final BitSet members = new BitSet();
    private final int[] yielded;
    private final int[] ranked = new int[BEYOND + 1];
    private final int[] rankOf = new int[BEYOND + 1];
    private final double[] worth = new double[BEYOND];
    private int yieldedCount;
    private int size;
    private int rankedTick = -1;
    private boolean byAge;
    private int cursor;

    TideOrder(Trace trace, TideHistory history, TideHazards hazards) {
        this.history = history;
        this.hazards = hazards;
        this.lists = new TideLists(trace.uniqueBlocks(), BEYOND + 1);
        this.yielded = new int[trace.uniqueBlocks()];
    }

    /** Ranks by age alone from now on, or by worth again. */
    void rankByAge(boolean value) {
        rankedTick = byAge == value ? rankedTick : -1;
        byAge = value;
    }

    /** The blocks that the next tick puts beyond the horizon go to their list; call before the tick ends. */
    void beforeTick() {
        int slot = history.slotOfAge(TideHazards.HORIZON - 1);
        for (int blockClass = 0; blockClass < TideHistory.CLASSES; blockClass++) {
            lists.appendAll(BEYOND, blockClass * TideHazards.HORIZON + slot);
        }
    }

    @Override
    public void added(int block) {
        if (!members.get(block)) {
            members.set(block);
            size++;
            lists.append(listOf(block), block);
        }
    }

    @Override
    public void touched(int block) {
        if (members.get(block)) {
            lists.unlink(block);
            lists.append(listOf(block), block);
        }
    }

    @Override
    public void touchedBehind(int block, int ahead) {
        touched(block);
    }

    @Override
    public void removed(int block) {
        if (members.get(block)) {
            members.clear(block);
            size--;
            lists.unlink(block);
        }
    }

    @Override
    public boolean contains(int block) {
        return members.get(block);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void beginWalk() {
        if (rankedTick != history.tick()) {
            rankedTick = history.tick();
            rank();
        }
        cursor = 0;
    }

    @Override
    public int popNext() {
        for (; cursor <= BEYOND; cursor++) {
            int block = lists.first(ranked[cursor]);
            if (block != Trace.NO_BLOCK) {
                lists.unlink(block);
                yielded[yieldedCount++] = block;
                return block;
            }
        }
        return NONE;
    }

    @Override
    public void promote(int block) {
        if (members.get(block)) {
            cursor = Math.min(cursor, rankOf[listOf(block)]);
        }
    }

    @Override
    public void endWalk() {
        while (yieldedCount > 0) {
            touched(yielded[--yieldedCount]);
        }
    }

    @Override
    public void clear() {
        for (int block = members.nextSetBit(0); block >= 0; block = members.nextSetBit(block + 1)) {
            lists.unlink(block);
        }
        members.clear();
        size = 0;
        yieldedCount = 0;
    }

    private int listOf(int block) {
        int age = history.age(block);
        return age == TideHazards.HORIZON
                ? BEYOND
                : history.blockClass(block) * TideHazards.HORIZON + history.slotOfAge(age);
    }

    private void rank() {
        if (!byAge) {
            hazards.rate();
        }
        List<Integer> lowestFirst = new ArrayList<>(BEYOND);
        for (int age = TideHazards.HORIZON - 1; age >= 0; age--) {
            for (int blockClass = 0; blockClass < TideHistory.CLASSES; blockClass++) {
                int list = blockClass * TideHazards.HORIZON + history.slotOfAge(age);
                worth[list] = byAge ? 0 : hazards.worth(blockClass, age);
                lowestFirst.add(list);
            }
        }
        lowestFirst.sort(Comparator.comparingDouble(list -> worth[list]));
        ranked[0] = BEYOND;
        for (int i = 0; i < BEYOND; i++) {
            ranked[i + 1] = lowestFirst.get(i);
        }
        for (int i = 0; i <= BEYOND; i++) {
            rankOf[ranked[i]] = i;
        }
    }
}
