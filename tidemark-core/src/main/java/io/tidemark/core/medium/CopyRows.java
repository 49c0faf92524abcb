package io.tidemark.core.medium;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * One row a slot of a table of copies: four longs side by side, so that whoever looks at a copy looks at one line of the
 * cache. In chunks, so that growth neither copies nor pauses; fields start at 0.
 *
 * <pre>  0: word, see {@link CopyWord}      1: [ 32 owner | 32 length in bytes ]
 *  2: [ 32 hints | 32 place ]         3: tick of the last use</pre>
 *
 * <p>Guarded by the table's lock, but {@link #peek}, and length and place for who holds the copy: they do not change then.
 */
final class CopyRows {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int CHUNK_BITS = 11;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int MASK = CHUNK - 1;
    private static final int ROW_SHIFT = 2;
    private static final int WORD = 0;
    private static final int OWNER_LENGTH = 1;
    private static final int HINTS_PLACE = 2;
    private static final int LAST_USE = 3;
    private static final long LOW = 0xFFFF_FFFFL;
    private static final long[] ABSENT = {};

    private final long[][] chunks;

    /** Rows for at most {@code limit} slots. */
    CopyRows(int limit) {
        chunks = new long[(int) (((long) limit + CHUNK - 1) >>> CHUNK_BITS)][];
        Arrays.fill(chunks, ABSENT);
    }

    /** Makes the row of a slot, if its chunk is not there yet; before any of its fields is set. */
    void make(int slot) {
        if (chunks[slot >>> CHUNK_BITS].length == 0) {
            chunks[slot >>> CHUNK_BITS] = new long[CHUNK << ROW_SHIFT];
        }
    }

    long word(int slot) {
        return get(slot, WORD);
    }

    void setWord(int slot, long word) {
        LONGS.setOpaque(chunks[slot >>> CHUNK_BITS], at(slot, WORD), word);
    }

    /** The word as some moment left it; without a lock. */
    long peek(int slot) {
        long[] chunk = chunks[slot >>> CHUNK_BITS];
        return chunk.length == 0 ? 0 : (long) LONGS.getOpaque(chunk, at(slot, WORD));
    }

    int length(int slot) {
        return (int) get(slot, OWNER_LENGTH);
    }

    int owner(int slot) {
        return (int) (get(slot, OWNER_LENGTH) >>> Integer.SIZE);
    }

    void setOwnerAndLength(int slot, int owner, int length) {
        set(slot, OWNER_LENGTH, pack(owner, length));
    }

    /** Where the bytes are, in the medium's terms; of a free slot: the next free slot. */
    int place(int slot) {
        return (int) get(slot, HINTS_PLACE);
    }

    void setPlace(int slot, int place) {
        set(slot, HINTS_PLACE, pack(hints(slot), place));
    }

    int hints(int slot) {
        return (int) (get(slot, HINTS_PLACE) >>> Integer.SIZE);
    }

    void setHints(int slot, int hints) {
        set(slot, HINTS_PLACE, pack(hints, place(slot)));
    }

    /** Hints and last use of a copy that came to be. */
    void start(int slot, int hints, long tick) {
        long[] chunk = chunks[slot >>> CHUNK_BITS];
        int at = at(slot, HINTS_PLACE);
        chunk[at] = pack(hints, (int) chunk[at]);
        chunk[at + LAST_USE - HINTS_PLACE] = tick;
    }

    long lastUse(int slot) {
        return get(slot, LAST_USE);
    }

    void setLastUse(int slot, long tick) {
        set(slot, LAST_USE, tick);
    }

    private long get(int slot, int field) {
        long[] chunk = chunks[slot >>> CHUNK_BITS];
        return chunk.length == 0 ? 0 : chunk[at(slot, field)];
    }

    private void set(int slot, int field, long value) {
        chunks[slot >>> CHUNK_BITS][at(slot, field)] = value;
    }

    private static int at(int slot, int field) {
        return ((slot & MASK) << ROW_SHIFT) + field;
    }

    private static long pack(int high, int low) {
        return ((long) high << Integer.SIZE) | (low & LOW);
    }
}
