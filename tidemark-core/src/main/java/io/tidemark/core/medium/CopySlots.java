package io.tidemark.core.medium;

/**
 * Which slots of a table are in use, and by which generation. Guarded by the table's lock.
 *
 * <p>A handle is slot in the low 32 bits and generation in the high 32. Generations start at 1, so no handle is 0; that of a
 * slot rises when its copy is retired, before the slot is handed out again.
 */
final class CopySlots {
    /** No slot is free. */
    static final int NONE = -1;

    private final CopyRows rows;
    private final int limit;
    private int used = 0;
    private int free = NONE;
    private int taken = 0;
    private int generationFloor = 1;

    CopySlots(CopyRows rows, int limit) {
        this.rows = rows;
        this.limit = limit;
    }

    static int slotOf(long copy) {
        return (int) copy;
    }

    static int generationOf(long copy) {
        return (int) (copy >>> Integer.SIZE);
    }

    /** Number of slots ever used: all others are free. */
    int used() {
        return used;
    }

    /** Number of slots that are taken. */
    int taken() {
        return taken;
    }

    /** New slots begin with this generation, so that no handle of an earlier process comes again. */
    void startAtGeneration(int floor) {
        generationFloor = floor;
    }

    /** Takes a slot for a RESERVED copy, or answers {@link #NONE} when all are taken. */
    int take() {
        int slot = free;
        if (slot != NONE) {
            free = rows.place(slot);
        } else if (used < limit) {
            slot = used++;
            rows.make(slot);
        } else {
            return NONE;
        }
        taken++;
        int past = CopyWord.generation(rows.word(slot));
        rows.setWord(slot, CopyWord.of(past == 0 ? generationFloor : past, 0, CopyState.RESERVED));
        return slot;
    }

    /** Takes the slot of a COMMITTED copy of an earlier process; {@link #restored} ends that. */
    void restore(long copy) {
        int slot = slotOf(copy);
        used = Math.max(used, slot + 1);
        taken++;
        rows.make(slot);
        rows.setWord(slot, CopyWord.of(generationOf(copy), 0, CopyState.COMMITTED));
    }

    /** All copies of an earlier process are back: the slots between them are free. */
    void restored() {
        for (int slot = used - 1; slot >= 0; slot--) {
            if (rows.word(slot) == 0) {
                rows.make(slot);
                chain(slot);
            }
        }
    }

    /** The handle is past from here on. */
    void retire(long copy) {
        int generation = generationOf(copy) + 1;
        rows.setWord(slotOf(copy), CopyWord.of(generation == 0 ? 1 : generation, 0, CopyState.FREED));
    }

    /** Gives the slot of a retired copy back. */
    void recycle(int slot) {
        chain(slot);
        taken--;
    }

    /** Whether the handle names what is in its slot now. */
    boolean isCurrent(long copy) {
        int slot = slotOf(copy);
        return slot >= 0 && slot < used && names(rows.word(slot), copy);
    }

    /** As {@link #isCurrent}, for who holds the copy: without a lock. */
    boolean isHeld(long copy) {
        return names(rows.peek(slotOf(copy)), copy);
    }

    long handle(int slot) {
        return ((long) CopyWord.generation(rows.word(slot)) << Integer.SIZE) | slot;
    }

    private static boolean names(long word, long copy) {
        return CopyWord.generation(word) == generationOf(copy) && CopyWord.state(word) != CopyState.FREED;
    }

    private void chain(int slot) {
        rows.setPlace(slot, free);
        free = slot;
    }
}
