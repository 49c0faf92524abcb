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

    private final int[] parents;
    private final int[] tokens;
    private final int[] counts;
    private final int[] lengths;
    private final int[] order;
    private int size;
    private int longest = ROOT_TOKENS;
    private long distinctTokens;

    Sequences(int count, long seed) {
        parents = new int[count + 1];
        tokens = new int[count + 1];
        counts = new int[count + 1];
        lengths = new int[count + 1];
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
        int length = lengths[sequence];
        int end = length;
        for (int at = sequence; at >= 0; at = parents[at]) {
            Arrays.fill(target, end - counts[at], end, tokens[at]);
            end -= counts[at];
        }
        return length;
    }

    private void add(int parent, Random random, int count) {
        parents[size] = parent;
        tokens[size] = 1 + random.nextInt(VOCABULARY);
        counts[size] = count;
        lengths[size] = count + (parent < 0 ? 0 : lengths[parent]);
        longest = Math.max(longest, lengths[size]);
        distinctTokens += count;
        size++;
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
