package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BlockKey;
import java.util.List;
import java.util.function.Consumer;

/** Puts the blocks of a batch in the order of a chain, some a step, so that a long batch holds up no other client. */
final class ChainOrder {
    /** Blocks that are put in order, those next to the root. */
    static final int MOST = 4_096;

    static final int KEYS_PER_STEP = 64;

    private final Consumer<List<BlockKey>> usedAsChain;
    private final List<BlockKey> chain;
    /** Blocks that are not in order yet, from the root on. */
    private int left;

    /** @param usedAsChain told of parts of the chain, the last part first */
    ChainOrder(Consumer<List<BlockKey>> usedAsChain, List<BlockKey> chain) {
        this.usedAsChain = usedAsChain;
        this.chain = chain;
        this.left = Math.min(MOST, chain.size());
    }

    /** Does the next part; whether there is another one. */
    boolean step() {
        int from = Math.max(0, left - KEYS_PER_STEP);
        if (left > 1) { // one alone is in order
            usedAsChain.accept(chain.subList(from, left));
        }
        left = from;
        return left > 0;
    }
}
