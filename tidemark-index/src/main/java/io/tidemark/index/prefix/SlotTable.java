package io.tidemark.index.prefix;

/**
 * The values of nodes: what a KV cache calls slots. The tree decides which node holds which units and never looks at a
 * value. Called from the tree's one writer only; must not call the tree back.
 *
 * @param <V> the values of one request, one a unit
 */
public interface SlotTable<V> {
    /** The node takes {@code length} values of the request, from unit {@code from} on. */
    void adopt(int node, V values, int from, int length);

    /** Values of the request that the tree holds already are given back. */
    void reject(V values, int from, int length);

    /** The first {@code at} values of {@code suffix} become those of {@code prefix}, a new node; {@code rest} stay. */
    void split(int prefix, int suffix, int at, int rest);

    /** The node, which was loaded back from the host, gets {@code length} fresh values. */
    void allocate(int node, int length);

    /** The node's values are free again. */
    void release(int node, int length);

    /**
     * A hint that the node's values are going to be released soon: whatever {@link #release} will read may be read now.
     *
     * @return any number; adding it up keeps the reads from being left out
     */
    default int readAhead(int node) {
        return 0;
    }

    /** Forgets all values, without freeing them: the owner resets its allocator too. */
    void clear();
}
