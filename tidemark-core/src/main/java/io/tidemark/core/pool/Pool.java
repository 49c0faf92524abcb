package io.tidemark.core.pool;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Blocks in tiers of backends, under the one eviction path. */
public final class Pool implements AutoCloseable {
    private final PoolConfig config;

    private Pool(PoolConfig config) {
        this.config = config;
    }

    /** Opens a pool over the media of the configuration, which it closes in the end, and starts its threads. */
    public static Pool open(PoolConfig config) {
        return new Pool(config);
    }

    /** The configuration in effect. */
    public PoolConfig config() {
        return config;
    }

    /** Opens a session for a client; {@code owner} names it in status and logs. */
    public Session session(String owner) {
        return new Session();
    }

    /** Frees exactly one copy and says what that came to; without tier and backend a discard takes every copy. */
    public EvictionResult evict(EvictionRequest request) {
        return new EvictionResult(request.key(), 0, EvictionOutcome.NONE);
    }

    /** Discards every block. Pinned ones go when their last pin closes; none is findable once this returns. */
    public void clear() {}

    /** Whether the key holds a value; no lease, no recency. */
    public boolean contains(BlockKey key) {
        return false;
    }

    /** Length of the value in bytes; no lease, no recency. */
    public OptionalLong sizeOf(BlockKey key) {
        return OptionalLong.empty();
    }

    /** Every copy of the block, placement first. */
    public List<CopyInfo> where(BlockKey key) {
        return List.of();
    }

    /** Sets the time to live from now, in milliseconds; 0 or less expires the block at once. False: no such key. */
    public boolean expireAfter(BlockKey key, long ttlMillis) {
        return false;
    }

    /** Takes the time to live away. False: no such key, or it had none. */
    public boolean persist(BlockKey key) {
        return false;
    }

    /** Milliseconds left to live: -1 without a limit, -2 when there is no such key. */
    public long ttlMillis(BlockKey key) {
        return -2;
    }

    /**
     * Shows some keys and answers where to go on. Every key that is there during a whole scan is shown at least once.
     *
     * @param cursor 0 to begin, then the answer of the call before
     * @return the next cursor, 0 at the end
     */
    public long scan(long cursor, int count, Consumer<BlockKey> keys) {
        return 0;
    }

    /** Number of blocks. */
    public long blocks() {
        return 0;
    }

    /**
     * Calls {@code retry} once, from another thread, as soon as bytes were freed or the time is over; for callers that
     * a reserve answered NO_SPACE. False when too many wait already: do not wait.
     */
    public boolean awaitSpace(long bytes, long timeoutMillis, Runnable retry) {
        return false;
    }

    /** What the pool holds now, per backend. */
    public PoolStatus status() {
        return new PoolStatus(List.of(), 0, 0, 0, 0, 0, 0, 0);
    }

    /** Shows every counter and gauge of the pool and its media. */
    public void counters(CounterVisitor visitor) {}

    @Override
    public void close() {}
}
