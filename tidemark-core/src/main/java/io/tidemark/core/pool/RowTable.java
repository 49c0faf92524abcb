package io.tidemark.core.pool;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Row numbers by hash: an extendible table. A directory, indexed by the low bits of the hash, names segments of up to
 * {@value #SEGMENT} slots; a segment that is three quarters full is split in two by one more bit. So growth moves the rows of
 * one segment, and doubles a directory of one reference a segment, however many rows there are. Only where hashes do not
 * differ, a segment grows instead.
 *
 * <p>Between calls: a segment of depth d is named by every index of the directory whose low d bits are those of its rows, at
 * least a quarter of its slots is free, and no free slot lies between a row's home and its slot.
 *
 * <p>A slot holds eight bits of the hash over the row's number plus one; 0 is free. Inside a segment collisions go to the next
 * slot. Guarded by the stripe's lock, but for {@link #peek}.
 */
final class RowTable {
    /** What the table asks about the rows that it names. */
    interface Keys {
        /** Whether the row holds the key that these bytes of an array are, to the last one. */
        boolean holds(int row, byte[] bytes, int from, int to);

        /** Hash of the row's key. */
        long hash(int row);
    }

    /** Row numbers are smaller than this. */
    static final int ROWS_MAX = (1 << 24) - 1;

    private static final int ROW_BITS = 24;
    private static final int SEGMENT = 512;
    private static final int FIRST_SEGMENT = 16;
    /** Bits of the hash below these choose the stripe. */
    private static final int DIRECTORY_SHIFT = 8;
    /** Bits that choose the slot; apart from those of the directory and from the eight that a slot holds. */
    private static final int HOME_SHIFT = 32;

    private static final int DEPTH_MAX = HOME_SHIFT - DIRECTORY_SHIFT;

    /** Rows whose hashes have the same low bits. */
    private static final class Segment {
        /** How many bits of the directory's index its rows have in common. */
        final int depth;

        int[] slots;
        int used = 0;

        Segment(int depth, int length) {
            this.depth = depth;
            slots = new int[length];
        }

        boolean full() {
            return (used + 1) * 4L > slots.length * 3L;
        }

        int next(int at) {
            return (at + 1) & (slots.length - 1);
        }

        int home(long hash) {
            return home(slots, hash);
        }

        static int home(int[] slots, long hash) {
            return (int) (hash >>> HOME_SHIFT) & (slots.length - 1);
        }

        int row(int at) {
            return (slots[at] & ROWS_MAX) - 1;
        }

        void place(int row, long hash) {
            int at = home(hash);
            while (slots[at] != 0) {
                at = next(at);
            }
            slots[at] = (tag(hash) << ROW_BITS) | (row + 1);
            used++;
        }
    }

    private final Keys keys;
    private Segment[] directory = {new Segment(0, FIRST_SEGMENT)};

    RowTable(Keys keys) {
        this.keys = keys;
    }

    /** Makes room for so many rows at once, in a table that names none. */
    void expect(int rows) {
        int segments = Math.ceilDiv(rows, SEGMENT / 2);
        int depth = segments < 2 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(segments - 1);
        Segment[] made = new Segment[1 << depth];
        Arrays.setAll(made, at -> new Segment(depth, depth == 0 ? FIRST_SEGMENT : SEGMENT));
        show(made);
    }

    /** The row of the key, or {@link EntryRows#NONE}. */
    int find(byte[] key, long hash) {
        return find(key, 0, key.length, hash);
    }

    /** As above, of the key that these bytes of an array are. */
    int find(byte[] bytes, int from, int to, long hash) {
        Segment segment = segment(hash);
        for (int at = segment.home(hash); segment.slots[at] != 0; at = segment.next(at)) {
            if (segment.slots[at] >>> ROW_BITS == tag(hash) && keys.holds(segment.row(at), bytes, from, to)) {
                return segment.row(at);
            }
        }
        return EntryRows.NONE;
    }

    /**
     * What lies where a search for this hash begins: who looks there early for many hashes waits for memory once. A hint that
     * needs no lock: while another thread adds rows, it may be what lay there before, or where the hash is not looked for any
     * more. So each field is read once: between two reads an array may be replaced by one of another length.
     */
    int peek(long hash) {
        Segment[] named = directory;
        int[] slots = named[index(hash) & (named.length - 1)].slots;
        return slots[Segment.home(slots, hash)];
    }

    /** What {@link #peek} finds in a directory was there before the directory. */
    private void show(Segment[] filled) {
        VarHandle.releaseFence();
        directory = filled;
    }

    /** Names a row whose key the table does not name yet. */
    void add(int row, long hash) {
        while (segment(hash).full()) {
            makeRoom(hash);
        }
        segment(hash).place(row, hash);
    }

    /** Forgets a row that it names, and moves later ones of the probe sequence up: no tombstones are needed. */
    void remove(int row, long hash) {
        Segment segment = segment(hash);
        int free = segment.home(hash);
        while (segment.row(free) != row) {
            free = segment.next(free);
        }
        int mask = segment.slots.length - 1;
        for (int at = segment.next(free); segment.slots[at] != 0; at = segment.next(at)) {
            int home = segment.home(keys.hash(segment.row(at)));
            if (((at - home) & mask) >= ((at - free) & mask)) {
                segment.slots[free] = segment.slots[at];
                free = at;
            }
        }
        segment.slots[free] = 0;
        segment.used--;
    }

    private Segment segment(long hash) {
        return directory[index(hash) & (directory.length - 1)];
    }

    private void makeRoom(long hash) {
        Segment segment = segment(hash);
        if (segment.slots.length < SEGMENT || !split(segment, index(hash))) {
            grow(segment);
        }
    }

    private void grow(Segment segment) {
        int[] old = segment.slots;
        segment.slots = new int[old.length * 2];
        segment.used = 0;
        for (int slot : old) {
            if (slot != 0) {
                int row = (slot & ROWS_MAX) - 1;
                segment.place(row, keys.hash(row));
            }
        }
    }

    /** Puts the rows of a segment into two, by one more bit; false, and nothing changes, where all have the same bit. */
    private boolean split(Segment segment, int index) {
        int bit = segment.depth;
        if (bit == DEPTH_MAX) {
            return false;
        }
        Segment[] halves = {new Segment(bit + 1, segment.slots.length), new Segment(bit + 1, segment.slots.length)};
        for (int slot : segment.slots) {
            if (slot != 0) {
                int row = (slot & ROWS_MAX) - 1;
                long hash = keys.hash(row);
                halves[(index(hash) >>> bit) & 1].place(row, hash);
            }
        }
        if (halves[0].used == 0 || halves[1].used == 0) {
            return false;
        }
        if (directory.length == 1 << bit) {
            Segment[] doubled = Arrays.copyOf(directory, directory.length * 2);
            System.arraycopy(directory, 0, doubled, directory.length, directory.length);
            show(doubled);
        }
        VarHandle.releaseFence(); // peek finds the halves as they are now
        int common = index & ((1 << bit) - 1);
        for (int at = common; at < directory.length; at += 1 << bit) {
            directory[at] = halves[(at >>> bit) & 1];
        }
        return true;
    }

    private static int index(long hash) {
        return (int) (hash >>> DIRECTORY_SHIFT);
    }

    private static int tag(long hash) {
        return (int) (hash >>> 56);
    }
}
