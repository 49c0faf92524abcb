package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of one stripe in flat arrays, and the cells that name their copies. Chunked, so that growth copies nothing.
 * Guarded by the stripe's lock. A row costs 26 bytes, its key and its share of the table not counted, and four more from the
 * moment on that a row near it has two copies.
 *
 * <p>A row's first copy is in the row itself (the cell with the row's number); further copies are in cells of their
 * own, numbered from -2 down, linked from the row. Rows keep their number for as long as the entry lives.
 */
final class EntryRows {
    /** No row, no cell. */
    static final int NONE = -1;

    /** Generations have 48 bits: nine years at a million a second. */
    private static final long GENERATION_MAX = (1L << 48) - 1;

    private static final int BITS = 8;
    private static final int SIZE = 1 << BITS;
    private static final int MASK = SIZE - 1;
    private static final int[] UNLINKED = {};

    /** A slice of rows. */
    private static final class Rows {
        /** Where the key is; of a free row: the next free row. */
        final int[] keyAt = new int[SIZE];

        final int[] generationLow = new int[SIZE];
        final short[] generationHigh = new short[SIZE];
        final int[] parent = new int[SIZE];
        final short[] parentTag = new short[SIZE];
        final byte[] flags = new byte[SIZE];
    }

    /** A slice of cells, each naming one copy. */
    private static final class Cells {
        final long[] handle = new long[SIZE];
        final byte[] place = new byte[SIZE];
        /** The next cell of the row; empty for as long as no cell here has one. */
        private int[] next = UNLINKED;

        int next(int at) {
            return next.length == 0 ? NONE : next[at];
        }

        void setNext(int at, int cell) {
            if (next.length == 0 && cell != NONE) {
                next = new int[SIZE];
                Arrays.fill(next, NONE);
            }
            if (next.length > 0) {
                next[at] = cell;
            }
        }
    }

    private final List<Rows> rows = new ArrayList<>();
    private final List<Cells> inRows = new ArrayList<>();
    private final List<Cells> apart = new ArrayList<>();
    private int rowsEnd = 0;
    private int freeRow = NONE;
    private int apartEnd = 0;
    private int freeApart = NONE;

    /** A row without copies and hints. */
    int addRow(long generation) {
        int row = freeRow;
        if (row == NONE) {
            row = rowsEnd++;
            if ((row & MASK) == 0) {
                rows.add(new Rows());
                inRows.add(new Cells());
            }
        } else {
            freeRow = keyAt(row);
        }
        Rows chunk = rows(row);
        chunk.parent[row & MASK] = NONE;
        chunk.flags[row & MASK] = 0;
        setGeneration(row, generation);
        setCell(row, 0, Place.NONE, NONE);
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
        return rows(row).keyAt[row & MASK];
    }

    void setKeyAt(int row, int position) {
        rows(row).keyAt[row & MASK] = position;
    }

    long generation(int row) {
        Rows chunk = rows(row);
        long high = chunk.generationHigh[row & MASK] & 0xFFFFL;
        return (high << Integer.SIZE) | (chunk.generationLow[row & MASK] & 0xFFFF_FFFFL);
    }

    void setGeneration(int row, long generation) {
        if (generation < 0 || generation > GENERATION_MAX) {
            throw new IllegalArgumentException("generation " + generation + "; expected 0 to 2^48");
        }
        Rows chunk = rows(row);
        chunk.generationLow[row & MASK] = (int) generation;
        chunk.generationHigh[row & MASK] = (short) (generation >>> Integer.SIZE);
    }

    /** Id of the entry before this one in its chain, or {@link #NONE}; valid while that entry's tag is the same. */
    int parent(int row) {
        return rows(row).parent[row & MASK];
    }

    short parentTag(int row) {
        return rows(row).parentTag[row & MASK];
    }

    void setParent(int row, int entry, short tag) {
        rows(row).parent[row & MASK] = entry;
        rows(row).parentTag[row & MASK] = tag;
    }

    boolean flag(int row, int flag) {
        return (rows(row).flags[row & MASK] & flag) != 0;
    }

    void setFlag(int row, int flag, boolean on) {
        byte[] flags = rows(row).flags;
        flags[row & MASK] = (byte) (on ? flags[row & MASK] | flag : flags[row & MASK] & ~flag);
    }

    /** The row's first cell, or {@link #NONE} when it names no copy. The placement is in it. */
    int firstCell(int row) {
        return place(row) == Place.NONE ? NONE : row;
    }

    long handle(int cell) {
        return cells(cell).handle[index(cell) & MASK];
    }

    /** Where the copy is: see {@link Place}. */
    int place(int cell) {
        return cells(cell).place[index(cell) & MASK];
    }

    int next(int cell) {
        return cells(cell).next(index(cell) & MASK);
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
            if ((apartEnd & MASK) == 0) {
                apart.add(new Cells());
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
        Cells chunk = cells(cell);
        int at = index(cell) & MASK;
        chunk.handle[at] = handle;
        chunk.place[at] = (byte) place;
        chunk.setNext(at, next);
    }

    private Rows rows(int row) {
        return rows.get(row >>> BITS);
    }

    private Cells cells(int cell) {
        return (cell >= 0 ? inRows : apart).get(index(cell) >>> BITS);
    }

    private static int index(int cell) {
        return cell >= 0 ? cell : -2 - cell;
    }
}
