package io.tidemark.index.policy;

import java.util.BitSet;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The order of {@code tide}: how long blocks have waited, and how often they came back, tells how soon they are likely to
 * be used next. For a tier that is small against what is used; evicts what brings the fewest hits for its room.
 *
 * <p>Nodes of one class and tick of last use are worth the same and hang in one list; once a tick the lists are ranked by
 * what {@link TideHazards} expects of them, the lowest first, the older of equals. Nodes beyond the horizon hang in one
 * list, oldest first, before all others. A use is O(1), a walk costs its victims, a tick a fixed amount (about 0.2 ms).
 *
 * <p>An owner that counts {@link NodeFacts#hits} for each use need tell nothing else; one whose nodes are used while they
 * are no members, or without a hit, calls {@link #used}.
 */
public final class TideOrder implements UseHearing {
    /** Ghosts for each block of the tier. */
    static final int GHOSTS_PER_BLOCK = 16;

    private static final int BEYOND = TideHistory.CLASSES * TideHazards.HORIZON;
    /** After this much quiet all blocks are forgotten and all counts are next to nothing. */
    private static final long LONGEST_PAUSE_TICKS = 16L * TideHazards.HORIZON;

    private final TideClock clock;
    private final TideDuel duel;
    /** Ranking by age, incomplete tails still go first. */
    private final boolean tailsFirst;

    private final NodeFacts facts;
    private final TideHazards hazards = new TideHazards(TideHistory.CLASSES);
    private final TideHistory history;
    private final TideLists lists = new TideLists(BEYOND + 1);
    private final TideRanks ranks = new TideRanks(BEYOND + 1);
    private final BitSet members = new BitSet();
    /** Joined during this walk; in no list until it ends. */
    private final BitSet deferred = new BitSet();
    /** Yielded by this walk; in no list until it ends. */
    private final BitSet taken = new BitSet();

    private final NodeStack joined = new NodeStack();
    private final NodeStack yielded = new NodeStack();
    private final NodeStack usedMeanwhile = new NodeStack();
    private long seenTick;
    private int size;
    private int rankedTick = -1;
    private boolean byAge;
    private boolean walking;
    private int cursor;

    private TideOrder(NodeFacts facts, TideClock clock, TideDuel duel, boolean tailsFirst) {
        this.facts = facts;
        this.clock = clock;
        this.duel = duel;
        this.tailsFirst = tailsFirst;
        this.history = new TideHistory(facts, hazards, GHOSTS_PER_BLOCK);
        this.seenTick = clock.now(0);
    }

    /**
     * An order for a tier. Time goes by what comes in, so that the horizon is {@value TideClock#TURNOVERS} times what the
     * tier holds; ghosts are bounded by it too. In a duel with plain LRU: while that is ahead, nodes go by age,
     * incomplete tails before all others.
     *
     * @param blocks how many blocks the tier holds
     */
    public static TideOrder of(NodeFacts facts, IntSupplier blocks) {
        return new TideOrder(facts, TideClock.byFills(blocks), TideDuel.withLru(blocks), true);
    }

    /** An order for a tier that holds about as many blocks as the order has members. */
    public static TideOrder ofMembers(NodeFacts facts) {
        TideOrder[] self = new TideOrder[1];
        self[0] = of(facts, () -> self[0] == null ? 0 : self[0].size());
        return self[0];
    }

    /** An order whose owner has a clock, in ticks, and sees to the duel itself. */
    public static TideOrder withClock(NodeFacts facts, LongSupplier ticks) {
        return new TideOrder(facts, TideClock.of(ticks), TideDuel.NONE, false);
    }

    /** Ranks by age alone from now on, or by worth again. */
    public void rankByAge(boolean value) {
        rankedTick = byAge == value ? rankedTick : -1;
        byAge = value;
    }

    @Override
    public void used(int node) {
        advance();
        duel.reference(facts.identity(node), history.isKnown(node));
        if (duel.isDecided()) {
            rankByAge(duel.isLost());
        }
        history.used(node);
        hangAgain(node);
    }

    @Override
    public void added(int node) {
        if (members.get(node)) {
            return;
        }
        if (history.isBehind(node)) {
            used(node);
        }
        members.set(node);
        size++;
        if (walking) {
            deferred.set(node);
            joined.push(node);
        } else {
            lists.append(listOf(node), node);
        }
    }

    @Override
    public void touched(int node) {
        if (!members.get(node)) {
            return;
        }
        if (history.isBehind(node)) {
            used(node);
        } else {
            history.described(node);
            hangAgain(node);
        }
    }

    @Override
    public void touchedBehind(int node, int ahead) {
        touched(node);
    }

    @Override
    public void removed(int node) {
        if (members.get(node)) {
            members.clear(node);
            deferred.clear(node);
            taken.clear(node);
            size--;
            lists.unlink(node);
        }
    }

    @Override
    public boolean contains(int node) {
        return members.get(node);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void beginWalk() {
        if (walking) {
            throw new IllegalStateException("a walk is running: end it before the next one begins");
        }
        advance();
        walking = true;
        if (rankedTick != history.tick()) {
            rankedTick = history.tick();
            rank();
        }
        cursor = 0;
    }

    @Override
    public int popNext() {
        if (!walking) {
            throw new IllegalStateException("no walk is running: call beginWalk first");
        }
        for (; cursor <= BEYOND; cursor++) {
            int node = lists.first(ranks.list(cursor));
            if (node != NONE) {
                lists.unlink(node);
                taken.set(node);
                yielded.push(node);
                return node;
            }
        }
        return NONE;
    }

    @Override
    public void promote(int node) {
        if (deferred.get(node)) {
            deferred.clear(node);
            lists.append(listOf(node), node);
            cursor = Math.min(cursor, ranks.rankOf(listOf(node)));
        }
    }

    /** Nodes that were yielded and stayed are back where they were; then what joined and what was used meanwhile counts. */
    @Override
    public void endWalk() {
        walking = false;
        while (!yielded.isEmpty()) {
            int node = yielded.pop();
            if (taken.get(node)) {
                taken.clear(node);
                lists.prepend(listOf(node), node);
            }
        }
        while (!joined.isEmpty()) {
            int node = joined.pop();
            if (deferred.get(node)) {
                deferred.clear(node);
                lists.append(listOf(node), node);
            }
        }
        while (!usedMeanwhile.isEmpty()) {
            hangAgain(usedMeanwhile.pop());
        }
    }

    @Override
    public void clear() {
        for (int node = members.nextSetBit(0); node >= 0; node = members.nextSetBit(node + 1)) {
            lists.unlink(node);
        }
        members.clear();
        deferred.clear();
        taken.clear();
        joined.clear();
        yielded.clear();
        usedMeanwhile.clear();
        history.clear();
        size = 0;
        walking = false;
    }

    /** Moves the node to where it belongs now; a walk sees it where it was. */
    private void hangAgain(int node) {
        if (!members.get(node)) {
            return;
        }
        if (walking) {
            usedMeanwhile.push(node);
        } else {
            lists.unlink(node);
            lists.append(listOf(node), node);
        }
    }

    /** Lets time pass; a walk stops it. */
    private void advance() {
        if (walking) {
            return;
        }
        long now = clock.now(history.fills());
        if (now <= seenTick) {
            return;
        }
        for (long ticks = Math.min(now - seenTick, LONGEST_PAUSE_TICKS); ticks > 0; ticks--) {
            leaveHorizon();
            history.nextTick();
        }
        seenTick = now;
        history.fit(clock.blocks());
    }

    /** What the next tick puts beyond the horizon goes to the list for that. */
    private void leaveHorizon() {
        int slot = history.slotOfAge(TideHazards.HORIZON - 1);
        for (int blockClass = 0; blockClass < TideHistory.CLASSES; blockClass++) {
            lists.appendAll(BEYOND, blockClass * TideHazards.HORIZON + slot);
        }
    }

    private int listOf(int node) {
        int age = history.age(node);
        return age == TideHazards.HORIZON
                ? BEYOND
                : history.blockClass(node) * TideHazards.HORIZON + history.slotOfAge(age);
    }

    private void rank() {
        if (!byAge) {
            hazards.rate();
        }
        ranks.begin(BEYOND);
        for (int age = TideHazards.HORIZON - 1; age >= 0; age--) {
            for (int blockClass = 0; blockClass < TideHistory.CLASSES; blockClass++) {
                int list = blockClass * TideHazards.HORIZON + history.slotOfAge(age);
                ranks.add(list, byAge ? worthByAge(blockClass) : hazards.worth(blockClass, age));
            }
        }
        ranks.sort();
    }

    /** Lists are ranked from the oldest on, and of equals the first goes first. */
    private int worthByAge(int blockClass) {
        return tailsFirst && blockClass == TideUse.TAIL_CLASS ? -1 : 0;
    }
}
