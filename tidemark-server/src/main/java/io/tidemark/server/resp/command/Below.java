package io.tidemark.server.resp.command;

import io.tidemark.core.medium.CopyState;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.CopyInfo;
import io.tidemark.core.pool.Pool;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;

/**
 * What a write of blocks may wait for: bytes that a device holds already are compared with those that came, the end of a
 * copy on a device has to be durable before the answer, also of one that left a moment ago, and a move has to notice that
 * its block is gone. A block that has been in memory alone waits for nothing.
 *
 * <p>Seen before the write: where a block begins to move in between, the event loop still waits for nothing, see
 * {@link Aftermath}.
 */
record Below(Pool pool, Jobs jobs) {
    /** Keys that are looked at one by one; more of them go beside the event loop unseen. */
    private static final int LOOKED_AT = 64;

    /** Whether anything can wait at all: there is more than memory. */
    boolean exists() {
        return pool.config().tiers().size() > 1;
    }

    /** Where to write these blocks; nothing when the event loop can. */
    Optional<Executor> lane(Collection<BlockKey> keys) {
        if (!exists()) {
            return Optional.empty();
        }
        if (keys.size() > LOOKED_AT) {
            return Optional.of(jobs.forDevices(List.of()));
        }
        Set<String> devices = new TreeSet<>();
        boolean anyDevice = false;
        for (BlockKey key : keys) {
            anyDevice |= pool.endsPending(key);
            for (CopyInfo copy : pool.remains(key)) {
                anyDevice |= copy.state() == CopyState.MOVING;
                if (below(copy)) {
                    devices.add(copy.backend());
                }
            }
        }
        if (anyDevice) {
            return Optional.of(jobs.forDevices(List.of()));
        }
        return devices.isEmpty() ? Optional.empty() : Optional.of(jobs.forDevices(devices));
    }

    private boolean below(CopyInfo copy) {
        return !copy.tier().equals(pool.config().tiers().getFirst().name());
    }
}
