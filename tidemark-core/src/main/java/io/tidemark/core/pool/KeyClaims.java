package io.tidemark.core.pool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys that a writer has reserved with {@link PutMode#CREATE}: one writer a key, until commit, abort or deadline.
 */
final class KeyClaims {
    /** One writer's claim; told apart by identity. */
    static final class Claimed {
        private final BlockKey key;
        private volatile long untilNanos;

        Claimed(BlockKey key, long untilNanos) {
            this.key = key;
            this.untilNanos = untilNanos;
        }

        /** The writer made progress: the claim stands longer, if it still stands. */
        void until(long nanos) {
            untilNanos = nanos;
        }
    }

    private final Map<BlockKey, Claimed> claims = new ConcurrentHashMap<>();

    /** Claims the key; false while another writer's claim stands. */
    boolean claim(Claimed mine, long nowNanos) {
        Claimed winner =
                claims.compute(mine.key, (key, held) -> held == null || nowNanos - held.untilNanos >= 0 ? mine : held);
        return winner == mine;
    }

    /** Whether the claim stands: not given up, and not taken over after its deadline. */
    boolean stands(Claimed mine) {
        return claims.get(mine.key) == mine;
    }

    void release(Claimed mine) {
        claims.computeIfPresent(mine.key, (key, held) -> held == mine ? null : held);
    }

    /** No claim stands any more. */
    void clear() {
        claims.clear();
    }
}
