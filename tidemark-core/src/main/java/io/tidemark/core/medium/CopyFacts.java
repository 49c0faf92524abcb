package io.tidemark.core.medium;

import io.tidemark.index.policy.NodeFacts;

/**
 * What an order may ask about the copies of one table, by slot. Ticks count the uses in the table. Guarded by the
 * table's lock. Hints and last use are in the row of the copy; creation and identity take six bytes more each
 * where the policy needs them:
 *
 * <pre>  hints: [ 23 hits, saturating | 8 priority, signed | 1 incomplete tail ]</pre>
 */
final class CopyFacts implements NodeFacts {
    private static final int HITS_SHIFT = 9;
    private static final int HITS_MAX = (1 << 23) - 1;
    private static final int ONE_HIT = 1 << HITS_SHIFT;

    private final CopyRows rows;
    private final Ticks created;
    private final Ticks identities;
    private long tick;
    private boolean creationKept;
    private boolean identitiesKept;

    CopyFacts(CopyRows rows, int limit) {
        this.rows = rows;
        created = new Ticks(limit);
        identities = new Ticks(limit);
    }

    /** Keeps creation ticks from now on; copies that are there count as older than all that come. */
    void keepCreation() {
        creationKept = true;
    }

    /** Keeps what {@link #identify} tells from now on. */
    void keepIdentities() {
        identitiesKept = true;
    }

    /** Says which block this is a copy of, for the policies that know blocks again; 48 bits count. */
    void identify(int slot, long identity) {
        if (identitiesKept) {
            identities.set(slot, identity);
        }
    }

    /** A copy came to be: that counts as its first use. */
    void start(int slot) {
        tick++;
        rows.start(slot, ONE_HIT, tick);
        if (creationKept) {
            created.set(slot, tick);
        }
        identify(slot, -tick);
    }

    /** Sets what the writer knows of the copy; priorities beyond a byte count as the nearest. */
    void describe(int slot, int priority, boolean incompleteTail) {
        int clamped = Math.clamp(priority, Byte.MIN_VALUE, Byte.MAX_VALUE) & 0xff;
        rows.setHints(slot, (rows.hints(slot) & -ONE_HIT) | (clamped << 1) | (incompleteTail ? 1 : 0));
    }

    /** The copy counts as used just now, without a hit. */
    void refresh(int slot) {
        rows.setLastUse(slot, ++tick);
    }

    /** Tick of the last use of any copy; the first one had 1. */
    long ticks() {
        return tick;
    }

    /** Uses of any copy since the last use of this one. */
    long usesSince(int slot) {
        return tick - rows.lastUse(slot);
    }

    /** The copy was hit. */
    void hit(int slot) {
        refresh(slot);
        if (hits(slot) < HITS_MAX) {
            rows.setHints(slot, rows.hints(slot) + ONE_HIT);
        }
    }

    @Override
    public long lastAccess(int slot) {
        return rows.lastUse(slot);
    }

    @Override
    public long created(int slot) {
        return created.get(slot);
    }

    /** A pin takes a copy out of the order, and its end puts it back. */
    @Override
    public boolean joinsAgain() {
        return true;
    }

    @Override
    public long identity(int slot) {
        return identities.get(slot);
    }

    @Override
    public long hits(int slot) {
        int hits = rows.hints(slot) >>> HITS_SHIFT;
        return hits;
    }

    @Override
    public long priority(int slot) {
        byte priority = (byte) (rows.hints(slot) >>> 1);
        return priority;
    }

    @Override
    public boolean incompleteTail(int slot) {
        return (rows.hints(slot) & 1) != 0;
    }
}
