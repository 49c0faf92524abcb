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
        found.add(key);
        held++;
    }

    /** A value has left, or the command has come to its end. */
    void released() {
        held--;
        if (held == 0 && found.size() > 1) {
            call.pool().usedAsChain(found);
        }
    }
}
