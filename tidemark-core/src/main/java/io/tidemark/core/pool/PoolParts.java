package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The parts of a pool, wired, with what its media brought from an earlier process; the threads are made, not started. */
final class PoolParts {
    private static final long BETWEEN_PASSES_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * A waiter that is called and refused again costs a turn of this length, not a spinning thread; and who waits for space
     * that was freed meanwhile waits no longer than that.
     */
    private static final long BETWEEN_SERVES_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** How often workers look for demotions whose pause is over. */
    private static final long RETRY_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    final TierGraph graph;
    final EntryIndex index;
    final Leases leases;
    final Expiry expiry = new Expiry();
    final UnwrittenEnds ends;
    final Evictions evictions;
    final SpaceWaiters waiters;
    final Commits commits;
    private final SameValues same;
    final Puts puts;
    final Reads reads;
    final Lookups lookups;
    final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    final PoolCore core;
    final IndexPressure indexPressure;
    final Watermarks watermarks;
    final Housekeeping housekeeping;
    final TransitionCounters transitionCounters = new TransitionCounters();
    final TransitionQueue transitions;
    final TransitionWork transitionWork;
    final List<PoolThread> threads;
    private final Signal pressure = new Signal();
    private final Signal freed = new Signal();
    private final List<Signal> workerSignals;

    PoolParts(PoolConfig config, KeyHash hash, FailureListener listener) {
        boolean tiered = config.tiers().stream()
                .anyMatch(
                        tier -> !tier.offloadTo().isEmpty() || tier.promotion().isPresent());
        graph = new TierGraph(config);
        graph.hurryWhereSpaceIsShort();
        long devices = graph.backends().stream().filter(Backend::isDevice).count();
        workerSignals = Stream.generate(Signal::new)
                .limit(tiered ? config.limits().transitionWorkers() * Math.max(1, devices) : 0)
                .toList();
        IndexSpace indexSpace = new IndexSpace(
                config.limits().indexBytes(),
                graph.backends().stream()
                        .mapToLong(backend -> backend.copies().order().bytesPerCopy())
                        .max()
                        .orElse(0));
        index = new EntryIndex(hash, indexSpace);
        leases = new Leases(config.limits(), config.clocks());
        ends = new UnwrittenEnds(graph.backends());
        Lives lives = new Lives(graph, expiry, ends, config.clocks());
        Entries entries = new Entries(index, graph, leases, lives);
        waiters = new SpaceWaiters(
                graph.entry(), indexSpace, config.limits().spaceWaiters(), config.clocks(), freed::raise);
        CopyStates states = new CopyStates(graph, entries, ends);
        Blocks blocks = new Blocks(index, entries, states);
        transitions = new TransitionQueue(states, graph, config, this::wakeWorkers);
        evictions = new Evictions(
                blocks,
                graph,
                new Settlement(transitions, ends),
                leases,
                transitions,
                transitionCounters,
                this::spaceFreed,
                config);
        Chains chains = new Chains(index, entries);
        reads = new Reads(index, entries, evictions, chains, leases, transitions, config);
        lookups = new Lookups(index, entries, leases);
        same = new SameValues(blocks, evictions);
        commits = new Commits(blocks, same, evictions, chains, reads);
        puts = new Puts(commits, evictions, graph.entry(), waiters, indexSpace, config, pressure::raise);
        core = new PoolCore(puts, reads, lookups, leases, sessions);
        transitionWork = new TransitionWork(
                transitions,
                graph,
                new Mover(blocks, evictions, ends, graph, config.limits().transitionWorkers()),
                blocks,
                evictions,
                transitionCounters,
                config.clocks(),
                pressure::raise);
        commits.startAbove(new PoolRecovery(blocks, evictions, ends, indexSpace).run(graph.backends()));
        indexPressure = new IndexPressure(indexSpace, graph, blocks, leases, evictions);
        watermarks = new Watermarks(graph, evictions, waiters, indexPressure, transitionWork::endHopeless);
        DropTeller drops = new DropTeller(transitionCounters, graph, config.clocks());
        housekeeping = new Housekeeping(sessions, leases, expiry, evictions, waiters, drops, config.clocks());
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
            made.add(new PoolThread(name, signal, () -> move(signal), most -> RETRY_POLL_NANOS, 0, listener));
        }
        return List.copyOf(made);
    }

    private void move(Signal more) {
        if (transitionWork.run()) {
            more.raise();
        }
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

    /** Shows every counter and gauge of the pool and its media. */
    void show(CounterVisitor visitor) {
        new PoolCounters(graph, evictions).show(visitor);
        puts.show(visitor);
        same.show(visitor);
        reads.show(visitor);
        graph.backends().stream()
                .filter(Backend::isDevice)
                .forEach(device -> visitor.gauge(
                        "tidemark_fetch_queue",
                        "Device reads that wait for a thread.",
                        reads.waiting(device),
                        "backend",
                        device.name()));
        leases.show(visitor);
        waiters.show(visitor);
        housekeeping.show(visitor);
        indexPressure.show(visitor);
        threads.stream()
                .map(PoolThread::health)
                .forEach(thread -> visitor.counter(
                        "tidemark_thread_failures_total",
                        "Turns of the pool's threads that failed.",
                        thread.failures(),
                        "thread",
                        thread.name()));
        transitionCounters.show(visitor);
        visitor.gauge("tidemark_transitions", "Moves between tiers that wait or run.", transitions.size());
        visitor.gauge("tidemark_blocks", "Blocks that can be found.", (double) index.size());
        visitor.gauge("tidemark_sessions", "Open sessions.", sessions.size());
    }
}
