package io.tidemark.core.pool;

import io.tidemark.core.medium.DeviceNumbers;
import io.tidemark.core.medium.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Blocks in tiers of backends, under the one eviction path.
 *
 * <p>A put goes through {@code Puts} and {@code Commits}, a get through {@code Reads}, everything that gives bytes back
 * through {@code Evictions} and its {@link Evictor}s; {@code Entries} is where copies change state. Two threads belong
 * to a pool: one keeps the marks, the other the time. Thread-safe, see docs/architecture.md for the locks.
 */
public final class Pool implements AutoCloseable {
    /** How long a close waits for all threads together. */
    private static final long JOIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** How long a close waits for all media together, after that. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PoolConfig config;
    private final PoolParts parts;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed = false;

    private Pool(PoolConfig config, KeyHash hash, FailureListener listener) {
        this.config = config;
        parts = new PoolParts(config, hash, listener);
    }

    /**
     * Opens a pool over the media of the configuration, with what they bring from an earlier process, and starts its
     * threads. The pool closes the media in the end.
     */
    public static Pool open(PoolConfig config) {
        return open(config, Pool::report);
    }

    /** As {@link #open(PoolConfig)}; failures of the pool's own threads are told to the listener. */
    public static Pool open(PoolConfig config, FailureListener listener) {
        Pool pool = new Pool(config, KeyHash.seeded(config.hashSeed()), listener);
        pool.parts.threads.forEach(PoolThread::start);
        return pool;
    }

    /** A pool whose duties the caller performs, with {@link #watermarks} and {@link #housekeeping}. */
    static Pool manual(PoolConfig config, KeyHash hash) {
        return new Pool(config, hash, Pool::report);
    }

    private static void report(String thread, Throwable failure, long failures) {
        System.getLogger(Pool.class.getName())
                .log(System.Logger.Level.ERROR, thread + ": failure " + failures + ", it goes on", failure);
    }

    /** How the pool's own threads do: one that is not alive, or ends no turn for seconds, means that the pool is ill. */
    public List<ThreadHealth> threads() {
        return parts.threads.stream().map(PoolThread::health).toList();
    }

    /** The configuration in effect. */
    public PoolConfig config() {
        return config;
    }

    /**
     * Opens a session without an owner to tell: what is overdue ends at once. For callers that never use segments after
     * a pause.
     *
     * @param name shown in status and logs
     */
    public Session session(String name) {
        return open(new Session(name, Optional.empty(), parts.core));
    }

    /** Opens a session whose owner closes it when something it holds is overdue. */
    public Session session(String name, SessionOwner owner) {
        return open(new Session(name, Optional.of(owner), parts.core));
    }

    private Session open(Session session) {
        parts.sessions.add(session);
        if (closed) {
            session.close();
        }
        return session;
    }

    /** Frees exactly one copy and says what that came to; without tier and backend a discard takes every copy. */
    public EvictionResult evict(EvictionRequest request) {
        return evict(request, Ends.awaited());
    }

    /** As {@link #evict(EvictionRequest)}; {@code ends} says who waits for the ends of what was discarded. */
    public EvictionResult evict(EvictionRequest request, Ends ends) {
        return parts.evictions.evict(request, ends);
    }

    /**
     * Discards every block. Pinned ones go when their last pin closes; none is findable once this returns.
     *
     * @return names of backends that could not write all the ends in time: blocks may be back from there after a restart
     */
    public Set<String> clear() {
        parts.puts.voidClaims();
        return parts.evictions.clear();
    }

    /**
     * Whether a delete or a put of this key has to wait for a device now, because the end of an older copy of it, or of a
     * key of the same group, is not on disk yet.
     */
    public boolean endsPending(BlockKey key) {
        return parts.ends.any(parts.index.hash(key));
    }

    /**
     * Waits while {@link #endsPending}, 5 s at most: after that no older value of the key comes back.
     *
     * @return names of backends that could not write it in time, from which one may
     */
    public Set<String> awaitEnds(BlockKey key) {
        return awaitEnds(key, Ends.awaited());
    }

    /** As {@link #awaitEnds(BlockKey)}, where somebody else may wait. */
    public Set<String> awaitEnds(BlockKey key, Ends ends) {
        return parts.evictions.discard(List.of(), ends, parts.index.hash(key)).unwritten();
    }

    /** Whether the key holds a value, be it on a device that is out of use; no lease, no recency. */
    public boolean contains(BlockKey key) {
        return parts.lookups.contains(key);
    }

    /** Length of the value in bytes where it can be read; no lease, no recency. */
    public OptionalLong sizeOf(BlockKey key) {
        return parts.lookups.sizeOf(key);
    }

    /** Every copy of the block, placement first. */
    public List<CopyInfo> where(BlockKey key) {
        return parts.lookups.where(key);
    }

    /** As {@link #where}, also of a block whose time to live is over and whose bytes are still to be thrown away. */
    public List<CopyInfo> remains(BlockKey key) {
        return parts.lookups.remains(key);
    }

    /** Sets the time to live from now, in milliseconds; 0 or less expires the block at once. False: no such key. */
    public boolean expireAfter(BlockKey key, long ttlMillis) {
        return expireAfter(key, ttlMillis, Ends.awaited());
    }

    /** As {@link #expireAfter(BlockKey, long)}; {@code ends} says who waits for the end of what expires at once. */
    public boolean expireAfter(BlockKey key, long ttlMillis, Ends ends) {
        boolean there = parts.lookups.setLife(key, OptionalLong.of(ttlMillis));
        if (there && ttlMillis <= 0) {
            evict(EvictionRequest.of(key, EvictionReason.EXPIRED), ends);
        }
        return there;
    }

    /** Takes the time to live away. False: no such key, or it had none. */
    public boolean persist(BlockKey key) {
        return ttlMillis(key) >= 0 && parts.lookups.setLife(key, OptionalLong.empty());
    }

    /** Milliseconds left to live: -1 without a limit, -2 when there is no such key. */
    public long ttlMillis(BlockKey key) {
        return parts.lookups.ttlMillis(key);
    }

    /**
     * These blocks were used together, root first: of equal recency the last of them goes first. Counts as no hit. A look-up a
     * block: where nobody may be held up for long, a long chain is told in parts, its end first.
     */
    public void usedAsChain(List<BlockKey> chain) {
        parts.lookups.usedAsChain(chain);
    }

    /**
     * Shows some keys and answers where to go on. Every key that is there during a whole scan is shown at least once.
     *
     * @param cursor 0 to begin, then the answer of the call before
     * @return the next cursor, 0 at the end
     */
    public long scan(long cursor, int count, Consumer<BlockKey> keys) {
        return parts.index.scan(cursor, count, key -> keys.accept(BlockKey.of(key)));
    }

    /** Number of blocks. */
    public long blocks() {
        return parts.index.size();
    }

    /** Of these, the ones with a time to live. */
    public long blocksWithTtl() {
        return parts.expiry.size();
    }

    /** What the pool holds now, per backend. */
    public PoolStatus status() {
        List<BackendStatus> backends = new ArrayList<>();
        for (Backend backend : parts.graph.backends()) {
            backends.add(status(backend));
        }
        long reservations = parts.sessions.stream()
                .mapToLong(session -> session.held(ReservedPut.class))
                .sum();
        long pins = parts.sessions.stream()
                .mapToLong(session -> session.held(ReadPin.class))
                .sum();
        return new PoolStatus(
                backends,
                blocks(),
                parts.sessions.size(),
                reservations,
                pins,
                parts.leases.count(),
                parts.waiters.size(),
                parts.transitions.size());
    }

    /** Names of backends that are being closed, while a {@link #close} waits for them or has left them behind. */
    public Set<String> unclosed() {
        return parts.graph.unclosed();
    }

    /** Records that devices have not written yet: of ends that nobody waits for, mostly. */
    public long unwrittenRecords() {
        return parts.graph.backends().stream()
                .flatMap(backend -> backend.medium.numbers().stream())
                .mapToLong(DeviceNumbers::unwrittenRecords)
                .sum();
    }

    private static BackendStatus status(Backend backend) {
        Ledger.Snapshot ledger = backend.medium.ledger().snapshot();
        return new BackendStatus(
                backend.tier.name(),
                backend.name(),
                backend.medium.kind(),
                ledger.capacity(),
                ledger.untouched() + ledger.free(),
                ledger.reserved(),
                ledger.resident(),
                ledger.doomed(),
                backend.copies().pinnedBytes(),
                backend.leasedBytes.get(),
                backend.movingBytes.get(),
                backend.tier.marks().highBytes(ledger.capacity()),
                backend.tier.marks().lowBytes(ledger.capacity()),
                backend.copies().count(),
                backend.copies().order().size(),
                backend.medium.health().why());
    }

    /** Shows every counter and gauge of the pool and its media. */
    public void counters(CounterVisitor visitor) {
        parts.show(visitor);
    }

    /** The watermark work, for a pool that runs none by itself. */
    Watermarks watermarks() {
        return parts.watermarks;
    }

    /** The work of the transition workers, for a pool that runs none by itself. */
    TransitionWork transitionWork() {
        return parts.transitionWork;
    }

    /** The work of time, for a pool that runs none by itself. */
    Housekeeping housekeeping() {
        return parts.housekeeping;
    }

    /**
     * Checks that index, copies, orders, accounts and counters agree. Only while no call runs.
     *
     * @throws IllegalStateException with everything that does not
     */
    public void checkInvariants() {
        List<String> faults = new PoolInvariants(parts.index, parts.graph, parts.transitions).faults();
        if (!faults.isEmpty()) {
            throw new IllegalStateException("pool is out of step: " + String.join("; ", faults));
        }
    }

    /** Ends all sessions and threads, and closes the media. Idempotent. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        closed = true;
        parts.threads.forEach(PoolThread::stop);
        long until = System.nanoTime() + JOIN_NANOS;
        parts.threads.forEach(thread -> thread.join(until));
        parts.sessions.forEach(Session::close);
        parts.reads.close();
        parts.graph.close(System.nanoTime() + CLOSE_NANOS);
    }
}
