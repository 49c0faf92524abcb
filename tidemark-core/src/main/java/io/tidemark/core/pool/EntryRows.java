package io.tidemark.core.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Rows of one stripe, and the cells that name their copies. Chunked, so that growth copies nothing. Guarded by the stripe's
 * lock. A row is {@value #ROW} bytes side by side, so that whoever looks at an entry looks at one line of the cache:
 *
 * <pre>  0 position of the key, 4 bytes; of a free row: the next free row      4 generation, 6       10 tag of the parent, 2
 *  12 parent, 4      16 handle of the first copy, 8      24 its place, 1      25 flags, 1</pre>
 *
 * <p>A row's first copy is in the row itself (the cell with the row's number); further copies are in cells of their
 * own, numbered from -2 down, linked from the row: four more bytes a row, from the moment on that a row near it has two
 * copies. Rows keep their number for as long as the entry lives.
 */
final class EntryRows {
    /** No row, no cell. */
    static final int NONE = -1;

    /** Generations have 48 bits: nine years at a million a second. */
    private static final long GENERATION_MAX = (1L << 48) - 1;

    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final int BITS = 8;
    private static final int SIZE = 1 << BITS;
    private static final int MASK = SIZE - 1;

    private static final int ROW = 26;
    private static final int KEY = 0;
    private static final int GENERATION_LOW = 4;
    private static final int GENERATION_HIGH = 8;
    private static final int PARENT_TAG = 10;
    private static final int PARENT = 12;
    private static final int HANDLE = 16;
    private static final int PLACE = 24;
    private static final int FLAGS = 25;

    private static final int[] UNLINKED = {};

    /** Cells apart from the rows, each naming one copy. */
    private static final class Cells {
        final long[] handle = new long[SIZE];
        final byte[] place = new byte[SIZE];
        final int[] next = new int[SIZE];
    }

    private byte[][] rows = {};
    /** The cells that the first ones link to, by chunk of rows; empty for as long as there is none. */
    private int[][] links = {};

    private Cells[] apart = {};
    private int rowsEnd = 0;
    private int freeRow = NONE;
    private int apartEnd = 0;
    private int freeApart = NONE;

    /** A row without hints, that names one copy, or none where the place is {@link Place#NONE}. */
    int addRow(long generation, long handle, int place) {
        int row = freeRow;
        if (row == NONE) {
            row = rowsEnd++;
            if ((row & MASK) == 0) {
                addChunk(row >>> BITS);
            }
        } else {
            freeRow = keyAt(row);
        }
        setParent(row, NONE, (short) 0);
        rows[row >>> BITS][at(row, FLAGS)] = 0;
        setGeneration(row, generation);
        setCell(row, handle, place, NONE);
        return row;
    }

    /** Gives a row without copies back. */
    void removeRow(int row) {
        if (place(row) != Place.NONE) {
            throw new IllegalStateException("row " + row + " still names copies");
        }
        setGeneration(row, 0);
        setKeyAt(row, freeRow);
        freeRow = row;
    }

    /** End of the row numbers ever used. */
    int end() {
        return rowsEnd;
    }

    /** Whether the row holds an entry now. Generations of entries begin at 1. */
    boolean live(int row) {
        return row >= 0 && row < rowsEnd && generation(row) != 0;
    }

    int keyAt(int row) {
        return getInt(row, KEY);
    }

    void setKeyAt(int row, int position) {
        INTS.set(rows[row >>> BITS], at(row, KEY), position);
    }

    long generation(int row) {
        byte[] chunk = rows[row >>> BITS];
        long high = (short) SHORTS.get(chunk, at(row, GENERATION_HIGH)) & 0xFFFFL;
        return (high << Integer.SIZE) | ((int) INTS.get(chunk, at(row, GENERATION_LOW)) & 0xFFFF_FFFFL);
    }

    void setGeneration(int row, long generation) {
        if (generation < 0 || generation > GENERATION_MAX) {
            throw new IllegalArgumentException("generation " + generation + "; expected 0 to 2^48");
        }
        INTS.set(rows[row >>> BITS], at(row, GENERATION_LOW), (int) generation);
        SHORTS.set(rows[row >>> BITS], at(row, GENERATION_HIGH), (short) (generation >>> Integer.SIZE));
    }

    /** Id of the entry before this one in its chain, or {@link #NONE}; valid while that entry's tag is the same. */
    int parent(int row) {
        return getInt(row, PARENT);
    }

    short parentTag(int row) {
        return (short) SHORTS.get(rows[row >>> BITS], at(row, PARENT_TAG));
    }

    void setParent(int row, int entry, short tag) {
        INTS.set(rows[row >>> BITS], at(row, PARENT), entry);
        SHORTS.set(rows[row >>> BITS], at(row, PARENT_TAG), tag);
    }

    boolean flag(int row, int flag) {
        return (rows[row >>> BITS][at(row, FLAGS)] & flag) != 0;
    }

    void setFlag(int row, int flag, boolean on) {
        byte[] chunk = rows[row >>> BITS];
        byte flags = chunk[at(row, FLAGS)];
        chunk[at(row, FLAGS)] = (byte) (on ? flags | flag : flags & ~flag);
    }

    /** The row's first cell, or {@link #NONE} when it names no copy. The placement is in it. */
    int firstCell(int row) {
        return place(row) == Place.NONE ? NONE : row;
    }

    long handle(int cell) {
        return cell >= 0 ? (long) LONGS.get(rows[cell >>> BITS], at(cell, HANDLE)) : cells(cell).handle[index(cell)];
    }

    /** Where the copy is: see {@link Place}. */
    int place(int cell) {
        return cell >= 0 ? rows[cell >>> BITS][at(cell, PLACE)] : cells(cell).place[index(cell)];
    }

    int next(int cell) {
        if (cell < 0) {
            return cells(cell).next[index(cell)];
        }
        int[] link = links[cell >>> BITS];
        return link.length == 0 ? NONE : link[cell & MASK];
    }

    /** Names a copy, as the first or the last one of the row. */
    void addCopy(int row, long handle, int place, boolean first) {
        if (place(row) == Place.NONE) {
            setCell(row, handle, place, NONE);
        } else if (first) {
            int moved = newCell(handle(row), place(row), next(row));
            setCell(row, handle, place, moved);
        } else {
            int last = row;
            while (next(last) != NONE) {
                last = next(last);
            }
            setCell(last, handle(last), place(last), newCell(handle, place, NONE));
        }
    }

    /** Takes the name of a copy away. Answers whether the row named it. */
    boolean removeCopy(int row, long handle, int place) {
        int before = NONE;
        for (int cell = firstCell(row); cell != NONE; cell = next(cell)) {
            if (handle(cell) == handle && place(cell) == place) {
                unlink(before, cell);
                return true;
            }
            before = cell;
        }
        return false;
    }

    private void unlink(int before, int cell) {
        int after = next(cell);
        if (before != NONE) {
            setCell(before, handle(before), place(before), after);
            freeCell(cell);
        } else if (after == NONE) {
            setCell(cell, 0, Place.NONE, NONE);
        } else {
            setCell(cell, handle(after), place(after), next(after));
            freeCell(after);
        }
    }

    private int newCell(long handle, int place, int next) {
        int cell = freeApart;
        if (cell == NONE) {
            int number = apartEnd >>> BITS;
            if ((apartEnd & MASK) == 0) {
                apart = Arrays.copyOf(apart, Math.max(apart.length, number + 1 + (number >> 1)));
                apart[number] = new Cells();
            }
            cell = -2 - apartEnd++;
        } else {
            freeApart = next(cell);
        }
        setCell(cell, handle, place, next);
        return cell;
    }

    private void freeCell(int cell) {
        setCell(cell, 0, Place.NONE, freeApart);
        freeApart = cell;
    }

    private void setCell(int cell, long handle, int place, int next) {
        if (cell >= 0) {
            LONGS.set(rows[cell >>> BITS], at(cell, HANDLE), handle);
            rows[cell >>> BITS][at(cell, PLACE)] = (byte) place;
            setLink(cell, next);
        } else {
            Cells chunk = cells(cell);
            chunk.handle[index(cell)] = handle;
            chunk.place[index(cell)] = (byte) place;
            chunk.next[index(cell)] = next;
        }
    }

    private void setLink(int row, int cell) {
        int number = row >>> BITS;
        if (links[number].length == 0 && cell != NONE) {
            links[number] = new int[SIZE];
            Arrays.fill(links[number], NONE);
        }
        if (links[number].length > 0) {
            links[number][row & MASK] = cell;
        }
    }

    /** The directories grow by half: one reference for {@value #SIZE} rows. */
    private void addChunk(int number) {
        if (number >= rows.length) {
            int length = number + 1 + (number >> 1);
            rows = Arrays.copyOf(rows, length);
            links = Arrays.copyOf(links, length);
        }
        rows[number] = new byte[SIZE * ROW];
        links[number] = UNLINKED;
    }

    private int getInt(int row, int field) {
        return (int) INTS.get(rows[row >>> BITS], at(row, field));
    }

    private static int at(int row, int field) {
        return (row & MASK) * ROW + field;
    }

    private Cells cells(int cell) {
        return apart[(-2 - cell) >>> BITS];
    }

    private static int index(int cell) {
        return (-2 - cell) & MASK;
    }
}
