package io.tidemark.core.pool;

import io.tidemark.core.medium.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Blocks in tiers of backends, under the one eviction path.
 *
 * <p>A put goes through {@code Puts} and {@code Commits}, a get through {@code Reads}, everything that gives bytes back
 * through {@code Evictions} and its {@link Evictor}s; {@code Entries} is where copies change state. Two threads belong
 * to a pool: one keeps the marks, the other the time. Thread-safe, see docs/architecture.md for the locks.
 */
public final class Pool implements AutoCloseable {
    private static final long BETWEEN_PASSES_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A waiter that is called and refused again costs a turn of this length, not a spinning thread. */
    private static final long BETWEEN_SERVES_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How often workers look for demotions whose pause is over. */
    private static final long RETRY_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long a close waits for all threads together. */
    private static final long JOIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** How long a close waits for all media together, after that. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PoolConfig config;
    private final TierGraph graph;
    private final EntryIndex index;
    private final Leases leases;
    private final Expiry expiry = new Expiry();
    private final Entries entries;
    private final Evictions evictions;
    private final SpaceWaiters waiters;
    private final Commits commits;
    private final Puts puts;
    private final Reads reads;
    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private final PoolCore core;
    private final IndexPressure indexPressure;
    private final Watermarks watermarks;
    private final Housekeeping housekeeping;
    private final Signal pressure = new Signal();
    private final Signal freed = new Signal();
    private final TransitionCounters transitionCounters = new TransitionCounters();
    private final TransitionQueue transitions;
    private final TransitionWork transitionWork;
    private final List<Signal> workerSignals;
    private final List<PoolThread> threads;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed = false;

    private Pool(PoolConfig config, KeyHash hash, FailureListener listener) {
        this.config = config;
        boolean tiered = config.tiers().stream()
                .anyMatch(
                        tier -> !tier.offloadTo().isEmpty() || tier.promotion().isPresent());
        graph = new TierGraph(config);
        long devices = graph.backends().stream().filter(Backend::isDevice).count();
        workerSignals = Stream.generate(Signal::new)
                .limit(tiered ? config.limits().transitionWorkers() * Math.max(1, devices) : 0)
                .toList();
        IndexSpace indexSpace = new IndexSpace(config.limits().indexBytes());
        index = new EntryIndex(hash, indexSpace);
        leases = new Leases(config.limits(), config.clocks());
        entries = new Entries(index, graph, leases, expiry, config.clocks());
        waiters = new SpaceWaiters(
                graph.entry(), indexSpace, config.limits().spaceWaiters(), config.clocks(), freed::raise);
        CopyStates states = new CopyStates(graph, entries);
        transitions = new TransitionQueue(states, config, this::wakeWorkers);
        evictions = new Evictions(
                index, entries, states, graph, leases, transitions, transitionCounters, this::spaceFreed, config);
        Chains chains = new Chains(index, entries);
        reads = new Reads(index, entries, evictions, chains, leases, transitions, config);
        commits = new Commits(index, entries, states, evictions, chains, reads);
        puts = new Puts(commits, evictions, graph.entry(), waiters, indexSpace, config, pressure::raise);
        core = new PoolCore(puts, reads, leases, sessions);
        transitionWork = new TransitionWork(
                transitions,
                new Mover(
                        index,
                        entries,
                        states,
                        evictions,
                        graph,
                        config.limits().transitionWorkers()),
                index,
                entries,
                states,
                evictions,
                transitionCounters,
                config.clocks(),
                pressure::raise);
        commits.startAbove(new PoolRecovery(index, entries, states, evictions).run(graph.backends()));
        indexPressure = new IndexPressure(indexSpace, graph, index, entries, states, leases, evictions);
        watermarks = new Watermarks(graph, evictions, waiters, indexPressure);
        housekeeping = new Housekeeping(sessions, leases, expiry, evictions, waiters, config.clocks());
        threads = threads(listener);
    }

    private List<PoolThread> threads(FailureListener listener) {
        List<PoolThread> made = new ArrayList<>();
        made.add(new PoolThread(
                "tidemark-marks", pressure, watermarks::pass, most -> most, BETWEEN_PASSES_NANOS, listener));
        made.add(new PoolThread(
                "tidemark-time", freed, housekeeping::turn, housekeeping::nextNanos, BETWEEN_SERVES_NANOS, listener));
        for (Signal signal : workerSignals) {
            String name = "tidemark-move-" + made.size();
            made.add(new PoolThread(name, signal, transitionWork::run, most -> RETRY_POLL_NANOS, 0, listener));
        }
        return List.copyOf(made);
    }

    private void wakeWorkers() {
        workerSignals.forEach(Signal::raise);
    }

    /** Wakes the thread that serves waiters, if there are any: a free costs no context switch otherwise. */
    private void spaceFreed() {
        if (waiters.any()) {
            freed.raise();
        }
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
        pool.threads.forEach(PoolThread::start);
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
        return threads.stream().map(PoolThread::health).toList();
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
        return open(new Session(name, Optional.empty(), core));
    }

    /** Opens a session whose owner closes it when something it holds is overdue. */
    public Session session(String name, SessionOwner owner) {
        return open(new Session(name, Optional.of(owner), core));
    }

    private Session open(Session session) {
        sessions.add(session);
        if (closed) {
            session.close();
        }
        return session;
    }

    /** Frees exactly one copy and says what that came to; without tier and backend a discard takes every copy. */
    public EvictionResult evict(EvictionRequest request) {
        return evictions.evict(request);
    }

    /** Discards every block. Pinned ones go when their last pin closes; none is findable once this returns. */
    public void clear() {
        puts.voidClaims();
        evictions.clear();
    }

    /** Whether the key holds a value; no lease, no recency. */
    public boolean contains(BlockKey key) {
        return commits.holds(key);
    }

    /** Length of the value in bytes; no lease, no recency. */
    public OptionalLong sizeOf(BlockKey key) {
        return reads.sizeOf(key);
    }

    /** Every copy of the block, placement first. */
    public List<CopyInfo> where(BlockKey key) {
        return reads.where(key);
    }

    /** Sets the time to live from now, in milliseconds; 0 or less expires the block at once. False: no such key. */
    public boolean expireAfter(BlockKey key, long ttlMillis) {
        boolean there = reads.setLife(key, OptionalLong.of(ttlMillis));
        if (there && ttlMillis <= 0) {
            evict(EvictionRequest.of(key, EvictionReason.EXPIRED));
        }
        return there;
    }

    /** Takes the time to live away. False: no such key, or it had none. */
    public boolean persist(BlockKey key) {
        return ttlMillis(key) >= 0 && reads.setLife(key, OptionalLong.empty());
    }

    /** Milliseconds left to live: -1 without a limit, -2 when there is no such key. */
    public long ttlMillis(BlockKey key) {
        return reads.ttlMillis(key);
    }

    /**
     * Shows some keys and answers where to go on. Every key that is there during a whole scan is shown at least once.
     *
     * @param cursor 0 to begin, then the answer of the call before
     * @return the next cursor, 0 at the end
     */
    public long scan(long cursor, int count, Consumer<BlockKey> keys) {
        return index.scan(cursor, count, key -> keys.accept(BlockKey.of(key)));
    }

    /** Number of blocks. */
    public long blocks() {
        return index.size();
    }

    /** Of these, the ones with a time to live. */
    public long blocksWithTtl() {
        return expiry.size();
    }

    /** What the pool holds now, per backend. */
    public PoolStatus status() {
        List<BackendStatus> backends = new ArrayList<>();
        for (Backend backend : graph.backends()) {
            backends.add(status(backend));
        }
        long reservations = sessions.stream()
                .mapToLong(session -> session.held(ReservedPut.class))
                .sum();
        long pins = sessions.stream()
                .mapToLong(session -> session.held(ReadPin.class))
                .sum();
        return new PoolStatus(
                backends,
                blocks(),
                sessions.size(),
                reservations,
                pins,
                leases.count(),
                waiters.size(),
                transitions.size());
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
                backend.copies().evictable(),
                backend.medium.health().why());
    }

    /** Shows every counter and gauge of the pool and its media. */
    public void counters(CounterVisitor visitor) {
        new PoolCounters(graph, evictions).show(visitor);
        puts.show(visitor);
        commits.show(visitor);
        reads.show(visitor);
        leases.show(visitor);
        waiters.show(visitor);
        housekeeping.show(visitor);
        indexPressure.show(visitor);
        threads()
                .forEach(thread -> visitor.counter(
                        "tidemark_thread_failures_total",
                        "Turns of the pool's threads that failed.",
                        thread.failures(),
                        "thread",
                        thread.name()));
        evictions.show(visitor);
        transitionCounters.show(visitor);
        visitor.gauge("tidemark_transitions", "Moves between tiers that wait or run.", transitions.size());
        visitor.gauge("tidemark_blocks", "Blocks that can be found.", (double) blocks());
        visitor.gauge("tidemark_sessions", "Open sessions.", sessions.size());
    }

    /** The watermark work, for a pool that runs none by itself. */
    Watermarks watermarks() {
        return watermarks;
    }

    /** The work of the transition workers, for a pool that runs none by itself. */
    TransitionWork transitionWork() {
        return transitionWork;
    }

    /** The work of time, for a pool that runs none by itself. */
    Housekeeping housekeeping() {
        return housekeeping;
    }

    /**
     * Checks that index, copies, orders, accounts and counters agree. Only while no call runs.
     *
     * @throws IllegalStateException with everything that does not
     */
    public void checkInvariants() {
        List<String> faults = new PoolInvariants(index, graph).faults();
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
        threads.forEach(PoolThread::stop);
        long until = System.nanoTime() + JOIN_NANOS;
        threads.forEach(thread -> thread.join(until));
        sessions.forEach(Session::close);
        reads.close();
        graph.close(System.nanoTime() + CLOSE_NANOS);
    }
}
