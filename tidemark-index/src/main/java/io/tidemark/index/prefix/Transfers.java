package io.tidemark.index.prefix;

/**
 * Moves values between device and host. Each start is answered later, in the order of the starts, by
 * {@link PrefixTree#writeDone} or {@link PrefixTree#loadDone} with the same node, from the tree's one writer.
 */
public interface Transfers {
    /** Starts to copy the node's values to the host room that was reserved for it. */
    void write(int node);

    /**
     * Starts to copy values from the host to the device, for the node and those of its ancestors that were on the host
     * only.
     */
    void load(int node);

    /** Completes all writes that were started: every {@code writeDone} has been called when this returns. */
    void awaitWrites();
}
