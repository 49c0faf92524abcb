package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BlockKey;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of one MGET, which clients of LLM engines ask for as a chain, root first. Each counts as used when it has left,
 * the last one latest; once all have, they are put in the order of a chain, so that its end goes first.
 *
 * <p>Belongs to the event loop of the connection.
 */
final class BatchOrder {
    private final Call call;
    private final List<BlockKey> found = new ArrayList<>();
    /** Values that have not left, and the command itself. */
    private int held = 1;

    BatchOrder(Call call) {
        this.call = call;
    }

    /** A value is about to be sent. */
    void took(BlockKey key) {
        if (found.size() < ChainOrder.MOST) {
            found.add(key);
        }
        held++;
    }

    /** Whether the order takes more than a step: then the command does it, once all values have left. */
    boolean isLong() {
        return found.size() > ChainOrder.KEYS_PER_STEP;
    }

    /** What is left to do of a long one. */
    ChainOrder order() {
        return new ChainOrder(call.pool()::usedAsChain, found);
    }

    /** A value has left, or a command that is not long has come to its end. */
    void released() {
        held--;
        if (held == 0) {
            order().step();
        }
    }
}
