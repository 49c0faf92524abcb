package io.tidemark.index.prefix;

import java.util.Arrays;

/**
 * Runs of ints of any length in large arrays, handed out and taken back without garbage: token ids, slots and page
 * hashes of nodes live here.
 *
 * <p>A segregated-fit allocator (free lists by size, eight to a power of two, found through a bitmap; neighbours are
 * joined at every free), so that both directions are O(1) and a run costs two ints on top of its length. An address
 * is {@code chunk << 22 | offset}, read as unsigned; a run never crosses a chunk.
 *
 * <pre>  used   [size, slack, flags][owners][payload ...][slack]
 *  free   [size, flags][next free][previous free] ... [size]</pre>
 *
 * <p>A run may have several owners, each with its own slice of it (a node that was split): it is freed with its last
 * owner, and shrunk when the slice at its end is given back first, which is the order of eviction.
 */
final class IntArena {
    /** Longest run: what fits a chunk beside its header and the end mark. */
    static final int MAX_LENGTH = (1 << 22) - 8;

    private static final int CHUNK_BITS = 22;
    private static final int CHUNK_INTS = 1 << CHUNK_BITS;
    private static final int FIRST_CHUNK_INTS = 1 << 12;
    private static final int HEADER = 2;
    private static final int MIN_BLOCK = 4;
    private static final int NONE = -1;

    private static final int FREE = 1;
    private static final int PREVIOUS_FREE = 2;
    private static final int SLACK_SHIFT = 2;
    private static final int SLACK_MASK = 7;
    private static final int SIZE_SHIFT = 5;

    private static final int CLASSES = 192;
    /** How many blocks of the request's own class are tried before a larger class is cut. */
    private static final int TRIES = 4;

    private int[][] chunks = new int[4][];
    private int chunkCount;
    private final int[] heads = new int[CLASSES];
    private final long[] filled = new long[CLASSES / Long.SIZE];
    private long usedInts;

    IntArena() {
        clear();
    }

    /** Gives up all runs and all memory but the first chunk. */
    void clear() {
        Arrays.fill(heads, NONE);
        Arrays.fill(filled, 0);
        chunks = new int[4][];
        chunkCount = 0;
        usedInts = 0;
        addChunk(FIRST_CHUNK_INTS);
    }

    /** A new run with one owner. */
    int allocate(int length) {
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("a run holds 0 to " + MAX_LENGTH + " ints, asked for " + length);
        }
        int size = Math.max(MIN_BLOCK, length + HEADER);
        int block = take(size);
        while (block == NONE) {
            grow(size);
            block = take(size);
        }
        unlink(block);
        int rest = sizeOf(block) - size;
        if (rest >= MIN_BLOCK) {
            setUsed(block, size, length);
            setFree(block + size, rest);
        } else {
            setUsed(block, size + rest, length);
        }
        usedInts += sizeOf(block);
        return block + HEADER;
    }

    /** One more owner of the run. */
    void share(int run) {
        chunk(run)[offset(run) - 1]++;
    }

    /**
     * An owner gives up its slice.
     *
     * @param from first int of the slice within the run
     * @param length ints of the slice
     * @param overlap ints at its start that the slice before it uses too
     */
    void release(int run, int from, int length, int overlap) {
        int[] chunk = chunk(run);
        int at = offset(run) - HEADER;
        int owners = --chunk[at + 1];
        assert owners >= 0 : "run " + run + " given back more often than it was handed out";
        if (owners == 0) {
            int size = chunk[at] >>> SIZE_SHIFT;
            usedInts -= size;
            setFree(run - HEADER, size);
        } else if (from + length == lengthOf(run - HEADER)) {
            shrink(run - HEADER, from + overlap);
        }
    }

    /** Reads what giving the run back will read, its own head and what follows it; means nothing. */
    int readAround(int run) {
        int[] chunk = chunk(run);
        int at = offset(run) - HEADER;
        return chunk[at + 1] + chunk[at + (chunk[at] >>> SIZE_SHIFT)];
    }

    /** Reads what joining the run with free blocks beside it will read beyond {@link #readAround}; means nothing. */
    int readNeighbours(int run) {
        int[] chunk = chunk(run);
        int at = offset(run) - HEADER;
        int head = chunk[at];
        int next = at + (head >>> SIZE_SHIFT);
        int read = (chunk[next] & FREE) == 0 ? 0 : readLinks(chunk, next);
        return (head & PREVIOUS_FREE) == 0 ? read : read + readLinks(chunk, at - chunk[at - 1]);
    }

    private int readLinks(int[] chunk, int at) {
        return linked(chunk[at + 1]) + linked(chunk[at + 2]);
    }

    private int linked(int block) {
        return block == NONE ? 0 : head(block);
    }

    int get(int run, int index) {
        return chunk(run)[offset(run) + index];
    }

    void copyIn(int run, int[] source, int from, int length) {
        System.arraycopy(source, from, chunk(run), offset(run), length);
    }

    void copyOut(int run, int index, int[] target, int at, int length) {
        System.arraycopy(chunk(run), offset(run) + index, target, at, length);
    }

    /** Length of the common prefix of {@code run[index..]} and {@code other[at..]}, at most {@code limit}. */
    int common(int run, int index, int[] other, int at, int limit) {
        int from = offset(run) + index;
        int first = Arrays.mismatch(chunk(run), from, from + limit, other, at, at + limit);
        return first < 0 ? limit : first;
    }

    /** Ints in use, headers and slack included. */
    long usedInts() {
        return usedInts;
    }

    /** Ints held from the heap. */
    long capacityInts() {
        long sum = 0;
        for (int i = 0; i < chunkCount; i++) {
            sum += chunks[i].length;
        }
        return sum;
    }

    private void shrink(int block, int length) {
        int size = Math.max(MIN_BLOCK, length + HEADER);
        int rest = sizeOf(block) - size;
        int kept = rest < MIN_BLOCK ? size + rest : size;
        setHead(block, encode(kept, kept - HEADER - length) | (head(block) & PREVIOUS_FREE));
        if (rest >= MIN_BLOCK) {
            usedInts -= rest;
            setHead(block + size, 0); // payload stood there
            setFree(block + size, rest);
        }
    }

    /** A free block that holds {@code size}, still linked, or {@link #NONE}. */
    private int take(int size) {
        int own = classOf(size);
        int block = heads[own];
        for (int i = 0; i < TRIES && block != NONE; i++) {
            if (sizeOf(block) >= size) {
                return block;
            }
            block = chunk(block)[offset(block) + 1];
        }
        int larger = nextFilled(own + 1);
        return larger == NONE ? NONE : heads[larger];
    }

    private int nextFilled(int from) {
        for (int word = from >>> 6; word < filled.length; word++) {
            long bits = filled[word] & (word == from >>> 6 ? -1L << from : -1L);
            if (bits != 0) {
                return (word << 6) + Long.numberOfTrailingZeros(bits);
            }
        }
        return NONE;
    }

    private static int classOf(int size) {
        if (size < 8) {
            return size;
        }
        int log = 31 - Integer.numberOfLeadingZeros(size);
        return ((log - 2) << 3) + ((size >>> (log - 3)) & 7);
    }

    /** Makes room for a block of the size: the last chunk grows by a quarter, up to its full size. */
    private void grow(int size) {
        int last = chunkCount - 1;
        int length = chunks[last].length;
        if (length == CHUNK_INTS) {
            addChunk(Math.max(FIRST_CHUNK_INTS, Math.min(CHUNK_INTS, size * 2)));
            return;
        }
        int longer = (int) Math.min(CHUNK_INTS, Math.max(length + (length >> 2), length + 2L * size));
        chunks[last] = Arrays.copyOf(chunks[last], longer);
        int endMark = (last << CHUNK_BITS) + length - 1;
        setHead((last << CHUNK_BITS) + longer - 1, 0);
        setHead(endMark, encode(longer - length, 0) | (head(endMark) & PREVIOUS_FREE));
        setFree(endMark, longer - length);
    }

    private void addChunk(int length) {
        if (chunkCount == 1 << (32 - CHUNK_BITS)) {
            throw new IllegalStateException("the arena is full: " + capacityInts() + " ints");
        }
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunkCount * 2);
        }
        chunks[chunkCount] = new int[length];
        int block = chunkCount << CHUNK_BITS;
        chunkCount++;
        setHead(block + length - 1, 0);
        setHead(block, encode(length - 1, 0));
        setFree(block, length - 1);
    }

    /** Turns a block into a free one, joined with free neighbours, which lie in the same chunk. */
    private void setFree(int block, int size) {
        int[] chunk = chunk(block);
        int at = offset(block);
        int before = (chunk[at] & PREVIOUS_FREE) != 0 ? chunk[at - 1] : 0;
        int start = block - before;
        int total = before + size;
        int next = chunk[at + size];
        if ((next & FREE) != 0) {
            total += next >>> SIZE_SHIFT;
            unlink(block + size);
        }
        // a free block before this one that stays in its list as it grows needs no new links
        boolean stays = before > 0 && classOf(before) == classOf(total);
        if (before > 0 && !stays) {
            unlink(start);
        }
        int from = offset(start);
        chunk[from] = encode(total, 0) | FREE;
        chunk[from + total - 1] = total;
        chunk[from + total] |= PREVIOUS_FREE;
        if (!stays) {
            link(start, total);
        }
    }

    private void setUsed(int block, int size, int length) {
        setHead(block, encode(size, size - HEADER - length));
        chunk(block)[offset(block) + 1] = 1;
        int after = block + size;
        setHead(after, head(after) & ~PREVIOUS_FREE);
    }

    private void link(int block, int size) {
        int list = classOf(size);
        int first = heads[list];
        int[] chunk = chunk(block);
        int at = offset(block);
        chunk[at + 1] = first;
        chunk[at + 2] = NONE;
        if (first != NONE) {
            chunk(first)[offset(first) + 2] = block;
        }
        heads[list] = block;
        filled[list >>> 6] |= 1L << list;
    }

    private void unlink(int block) {
        int[] chunk = chunk(block);
        int at = offset(block);
        int next = chunk[at + 1];
        int previous = chunk[at + 2];
        if (next != NONE) {
            chunk(next)[offset(next) + 2] = previous;
        }
        if (previous != NONE) {
            chunk(previous)[offset(previous) + 1] = next;
            return;
        }
        int list = classOf(sizeOf(block));
        heads[list] = next;
        if (next == NONE) {
            filled[list >>> 6] &= ~(1L << list);
        }
    }

    private static int encode(int size, int slack) {
        return size << SIZE_SHIFT | slack << SLACK_SHIFT;
    }

    private int sizeOf(int block) {
        return head(block) >>> SIZE_SHIFT;
    }

    private int lengthOf(int block) {
        int head = head(block);
        return (head >>> SIZE_SHIFT) - HEADER - ((head >>> SLACK_SHIFT) & SLACK_MASK);
    }

    private int head(int block) {
        return chunk(block)[offset(block)];
    }

    private void setHead(int block, int value) {
        chunk(block)[offset(block)] = value;
    }

    private int[] chunk(int address) {
        return chunks[address >>> CHUNK_BITS];
    }

    private static int offset(int address) {
        return address & (CHUNK_INTS - 1);
    }
}
