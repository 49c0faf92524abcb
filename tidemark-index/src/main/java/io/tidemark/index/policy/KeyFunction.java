package io.tidemark.index.policy;

/**
 * The eviction key of a node: one to three longs, compared in turn, the smallest goes first. Equal keys fall back
 * to the node id, so that every order is total and repeatable.
 *
 * <p>An order asks again whenever its owner says that the node changed; between two such calls the answer must stay
 * the same.
 */
public interface KeyFunction {
    /** Number of parts that count, 1 to 3; constant. */
    int parts();

    /** The most significant part. */
    long first(int node);

    /** Decides between equal first parts; asked when {@link #parts} is at least 2. */
    default long second(int node) {
        return 0;
    }

    /** Decides between equal second parts; asked when {@link #parts} is 3. */
    default long third(int node) {
        return 0;
    }
}
