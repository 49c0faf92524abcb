package io.tidemark.index.replay;

/** Doubly linked lists of blocks over two int arrays; a block is in one list at most. */
final class TideLists {
    private final int blocks;
    private final int[] before;
    private final int[] after;

    TideLists(int blocks, int lists) {
        this.blocks = blocks;
        this.before = new int[blocks + lists];
        this.after = new int[blocks + lists];
        for (int i = 0; i < before.length; i++) {
            before[i] = i;
            after[i] = i;
        }
    }

    /** The first block of a list, or {@link Trace#NO_BLOCK}. */
    int first(int list) {
        int first = after[blocks + list];
        return first == blocks + list ? Trace.NO_BLOCK : first;
    }

    void append(int list, int block) {
        int head = blocks + list;
        join(before[head], block);
        join(block, head);
    }

    /** Takes the block out of the list it is in; no-op when it is in none. */
    void unlink(int block) {
        join(before[block], after[block]);
        before[block] = block;
        after[block] = block;
    }

    /** Moves all of one list behind another, in their order. */
    void appendAll(int list, int from) {
        int head = blocks + list;
        int source = blocks + from;
        if (after[source] == source) {
            return;
        }
        join(before[head], after[source]);
        join(before[source], head);
        before[source] = source;
        after[source] = source;
    }

    private void join(int left, int right) {
        after[left] = right;
        before[right] = left;
    }
}
