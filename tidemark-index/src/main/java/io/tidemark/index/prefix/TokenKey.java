package io.tidemark.index.prefix;

/**
 * The key of a call: a namespace and the token ids of a prompt, raw, not cut to whole pages. Reusable, so that a
 * caller makes no garbage; the tree keeps no reference to it or to its array.
 */
public final class TokenKey {
    private static final int[] EMPTY = {};

    private int namespace;
    private int[] tokens = EMPTY;
    private int length;

    /** An empty key in the plain namespace. */
    public TokenKey() {}

    /**
     * Points this key at tokens.
     *
     * @param namespace as {@link PrefixTree#namespace} gave it
     * @param tokens token ids, unsigned 32 bits each; read during the next call only
     * @param length how many of them count, from the first on
     */
    public TokenKey set(int namespace, int[] tokens, int length) {
        if (length < 0 || length > tokens.length) {
            throw new IllegalArgumentException(
                    "key length " + length + " is outside the array of " + tokens.length + " tokens");
        }
        this.namespace = namespace;
        this.tokens = tokens;
        this.length = length;
        return this;
    }

    /**
     * Points this key at ids of 64 bits; copies them. A tree keeps 32 bits a token.
     *
     * @throws IllegalArgumentException naming the first id that is none of 0 to 4,294,967,295
     */
    public TokenKey setWide(int namespace, long[] tokens) {
        int[] narrow = new int[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] >>> Integer.SIZE != 0) {
                throw new IllegalArgumentException(
                        "token " + i + " is " + tokens[i] + ", expected an id of 32 bits, 0 to 4294967295");
            }
            narrow[i] = (int) tokens[i];
        }
        return set(namespace, narrow);
    }

    /** Points this key at a whole array. */
    public TokenKey set(int namespace, int[] tokens) {
        return set(namespace, tokens, tokens.length);
    }

    int namespace() {
        return namespace;
    }

    int[] tokens() {
        return tokens;
    }

    int length() {
        return length;
    }
}
