package io.tidemark.index.prefix;

/** Hears of every use of every node, leaf or not, in an order in which the oldest use comes first. */
interface UseLog {
    /** Wants to know nothing. */
    UseLog SILENT = new UseLog() {
        @Override
        public void used(int node) {}

        @Override
        public void forget(int node) {}
    };

    /** The node was used, later than all nodes before; of a path the deepest node is told first. */
    void used(int node);

    /** The node is gone. */
    void forget(int node);
}
