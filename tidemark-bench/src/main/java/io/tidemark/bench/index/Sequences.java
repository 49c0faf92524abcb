package io.tidemark.bench.index;

import java.util.Arrays;
import java.util.Random;

/**
 * Token sequences that share prefixes, in the shape of the upstream benchmark: one root, half of them grow from a
 * random earlier one, half fan out in groups of 2 to 10 from one parent; each adds 1 to 128 copies of a random token.
 * Kept as (parent, token, count), so that ten million of them fit; {@link #fill} writes one out.
 */
final class Sequences {
    private static final int CHUNK = 128;
    private static final int VOCABULARY = 32_000;
    private static final int ROOT_TOKENS = CHUNK / 4;

    /** Of each sequence: the one it grows from, its token, how often, its whole length; together, since they are read so. */
    private static final int PARENT = 0;

    private static final int TOKEN = 1;
    private static final int COUNT = 2;
    private static final int LENGTH = 3;
    private static final int FIELDS = 4;
    private static final int PART_BITS = 20;

    private final int[][] facts;
    private final int[] order;
    private int size;
    private int longest = ROOT_TOKENS;
    private long distinctTokens;

    Sequences(int count, long seed) {
        facts = new int[(count >>> PART_BITS) + 1]
                [FIELDS << Math.min(PART_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(count + 1))];
        Random random = new Random(seed);
        add(-1, random, ROOT_TOKENS);
        for (int i = 0; i < count / 2; i++) {
            add(random.nextInt(size), random, 1 + random.nextInt(CHUNK));
        }
        while (size <= count) {
            int fan = Math.min(2 + random.nextInt(9), count + 1 - size);
            int parent = random.nextInt(size);
            for (int i = 0; i < fan; i++) {
                add(parent, random, 1 + random.nextInt(CHUNK));
            }
        }
        order = shuffled(size, random);
    }

    int size() {
        return size;
    }

    /** Tokens of the longest sequence. */
    int longest() {
        return longest;
    }

    /** Tokens that a tree of all sequences holds, at most. */
    long distinctTokens() {
        return distinctTokens;
    }

    /** Writes the sequence at a place of the random order; answers its length. */
    int fill(int place, int[] target) {
        int sequence = order[place];
        int length = part(sequence)[place(sequence) + LENGTH];
        int end = length;
        for (int at = sequence; at >= 0; ) {
            int[] part = part(at);
            int from = place(at);
            Arrays.fill(target, end - part[from + COUNT], end, part[from + TOKEN]);
            end -= part[from + COUNT];
            at = part[from + PARENT];
        }
        return length;
    }

    private void add(int parent, Random random, int count) {
        int[] part = part(size);
        int at = place(size);
        int length = count + (parent < 0 ? 0 : part(parent)[place(parent) + LENGTH]);
        part[at + PARENT] = parent;
        part[at + TOKEN] = 1 + random.nextInt(VOCABULARY);
        part[at + COUNT] = count;
        part[at + LENGTH] = length;
        longest = Math.max(longest, length);
        distinctTokens += count;
        size++;
    }

    private int[] part(int sequence) {
        return facts[sequence >>> PART_BITS];
    }

    private static int place(int sequence) {
        return (sequence & (1 << PART_BITS) - 1) * FIELDS;
    }

    private static int[] shuffled(int size, Random random) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }
}
