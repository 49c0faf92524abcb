package io.tidemark.bench.index;

import io.tidemark.index.prefix.Insertion;

/** A running request, reusable. */
final class Request {
    private final int[] tokens;
    private final int[] values;
    private final Insertion<int[]> insertion;
    private int length;
    private int matched;
    private int node;

    Request(int longest) {
        tokens = new int[longest];
        values = new int[longest];
        insertion = new Insertion<>(values);
    }

    void admitted(int[] prompt, int promptLength, int matchedLength, int lockedNode) {
        System.arraycopy(prompt, 0, tokens, 0, promptLength);
        length = promptLength;
        matched = matchedLength;
        node = lockedNode;
    }

    int[] tokens() {
        return tokens;
    }

    int[] values() {
        return values;
    }

    Insertion<int[]> insertion() {
        return insertion;
    }

    int length() {
        return length;
    }

    /** Tokens whose slots are the tree's. */
    int matched() {
        return matched;
    }

    /** The node that the request locked. */
    int node() {
        return node;
    }
}
