package io.tidemark.index.prefix.golden;

import io.tidemark.index.prefix.CountedHost;
import io.tidemark.index.prefix.CountedSlots;
import io.tidemark.index.prefix.EventHashes;
import io.tidemark.index.prefix.Insertion;
import io.tidemark.index.prefix.LoadBack;
import io.tidemark.index.prefix.MatchResult;
import io.tidemark.index.prefix.Namespace;
import io.tidemark.index.prefix.PrefixTree;
import io.tidemark.index.prefix.TokenKey;
import io.tidemark.index.prefix.TreeOptions;
import io.tidemark.index.prefix.TreeServices;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One recorded case: a new tree that is given the recorded calls and answers in the form of {@link GoldenValues}, field
 * by field as the recording has them.
 */
public final class GoldenCase {
    /** What a recording calls namespaces 0, 1 and so on. */
    public static final List<Namespace> NAMESPACES = List.of(
            new Namespace(Optional.empty(), Optional.empty()),
            new Namespace(Optional.of("lora-a"), Optional.empty()),
            new Namespace(Optional.empty(), Optional.of("salt-1")),
            new Namespace(Optional.of("lora-a"), Optional.of("salt-1")));

    private final GoldenHeader header;
    private final PrefixTree<CountedSlots> tree;
    private final EvictionLog log;
    private final FifoTransfers transfers = new FifoTransfers();
    private final CountedHost hostTier;
    private final long capacity;
    private final Map<Long, Integer> locks = new HashMap<>();
    private final TokenKey key = new TokenKey();
    private final MatchResult match = new MatchResult();
    private final Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS);

    /**
     * A new tree with the case's settings.
     *
     * @param rebuildEachWalk whether walks sort all leaves anew; results must not depend on it
     */
    public GoldenCase(GoldenHeader header, boolean rebuildEachWalk) {
        this.header = header;
        this.capacity = header.capacity() / header.pageSize() * header.pageSize();
        this.log = new EvictionLog(header.host().isPresent());
        this.hostTier = new CountedHost(header.host().map(GoldenHost::capacity).orElse(0L));
        TreeServices<CountedSlots> services = TreeServices.deviceOnly(CountedSlots.SLOTS)
                .withListener(log)
                .withRoom(this::deviceFree)
                .withHost(hostTier, transfers);
        this.tree = new PrefixTree<>(options(header).withRebuildEachWalk(rebuildEachWalk), services);
        log.attach(tree);
        transfers.attach(tree);
        for (int i = 0; i < NAMESPACES.size(); i++) {
            int id = tree.namespace(NAMESPACES.get(i));
            assert id == i : "namespace " + i + " has number " + id;
        }
    }

    /** Makes the call and answers the fields of its result. */
    public Map<String, Object> apply(GoldenOp op) {
        Map<String, Object> result = new HashMap<>();
        if (op instanceof GoldenOp.Snapshot) {
            tree.sanityCheck();
            result.put("tree", GoldenValues.tree(tree.dump(), header.host().isPresent()));
        } else {
            call(op, result);
            result.put("s", state());
        }
        List<List<Object>> steps = log.drain();
        if (op instanceof GoldenOp.Evict || !steps.isEmpty()) {
            result.put("v", steps);
        }
        if (header.events()) {
            result.put("e", tree.drainEvents().stream().map(GoldenValues::event).toList());
        }
        return result;
    }

    private void call(GoldenOp op, Map<String, Object> result) {
        switch (op) {
            case GoldenOp.Insert insert -> insert(insert, result);
            case GoldenOp.Match(int namespace, int[] tokens) -> match(namespace, tokens, result);
            case GoldenOp.Lock(int namespace, int[] tokens, long handle) -> {
                match(namespace, tokens, result);
                locks.put(handle, match.deviceNode());
                tree.lock(match.deviceNode());
            }
            case GoldenOp.Unlock(long handle) -> tree.unlock(lockOf(handle));
            case GoldenOp.Evict(long units) -> result.put("ev", tree.evict(units));
            case GoldenOp.EvictHost(long units) -> result.put("ev", tree.evictHost(units));
            case GoldenOp.Load(int namespace, int[] tokens) -> load(namespace, tokens, result);
            case GoldenOp.CompleteWrites(long count) -> result.put("k", transfers.completeWrites(count));
            case GoldenOp.CompleteLoads(long count) -> result.put("k", transfers.completeLoads(count));
            case GoldenOp.OpenSession(String session) -> result.put("g", tree.openSession(session));
            case GoldenOp.Register register -> register(register, result);
            case GoldenOp.Release(String session) -> tree.releaseSession(session);
            case GoldenOp.Reset() -> reset();
            case GoldenOp.Snapshot() -> throw new IllegalArgumentException("a snapshot is no call of the tree");
        }
    }

    private void insert(GoldenOp.Insert op, Map<String, Object> result) {
        insertion.priority(op.priority()).protectedLength(op.protectedLength()).countedLength(op.countedLength());
        tree.insert(key.set(op.namespace(), op.tokens()), insertion);
        result.put("pl", (long) insertion.prefixLength());
        result.put("dup", (long) insertion.duplicates());
    }

    private void match(int namespace, int[] tokens, Map<String, Object> result) {
        tree.match(key.set(namespace, tokens), match);
        result.put("len", (long) match.deviceLength());
        if (header.host().isPresent()) {
            result.put("hh", (long) match.hostLength());
            result.put("fk", (long) match.length());
        }
    }

    private void load(int namespace, int[] tokens, Map<String, Object> result) {
        match(namespace, tokens, result);
        result.remove("fk");
        LoadBack outcome = tree.loadBack(match.bestNode());
        if (outcome == LoadBack.STARTED || outcome == LoadBack.REFUSED) {
            boolean started = outcome == LoadBack.STARTED;
            result.put("ok", started ? 1L : 0L);
            result.put("nl", started ? (long) match.hostLength() : 0L);
        }
    }

    private void register(GoldenOp.Register op, Map<String, Object> result) {
        long generation = op.generation().isPresent() ? op.generation().getAsLong() : tree.ensureSession(op.session());
        tree.registerSession(op.session(), generation, insertion.node());
        result.put("gen", generation);
    }

    private void reset() {
        tree.reset();
        locks.clear();
        transfers.clear();
    }

    private int lockOf(long handle) {
        Integer node = locks.remove(handle);
        if (node == null) {
            throw new IllegalArgumentException("unlock of handle " + handle + ", which holds no lock");
        }
        return node;
    }

    private List<Object> state() {
        if (header.host().isEmpty()) {
            return GoldenValues.numbers(tree.evictableUnits(), tree.lockedUnits(), tree.deviceLeaves(), tree.size());
        }
        return GoldenValues.numbers(
                tree.evictableUnits(),
                tree.lockedUnits(),
                tree.deviceLeaves(),
                tree.size(),
                tree.hostLeaves(),
                hostTier.freeUnits(),
                deviceFree(),
                tree.writesInFlight(),
                tree.loadsInFlight());
    }

    private long deviceFree() {
        return capacity - tree.evictableUnits() - tree.lockedUnits();
    }

    private static TreeOptions options(GoldenHeader header) {
        TreeOptions plain = TreeOptions.DEFAULT
                .withPageSize(header.pageSize())
                .withBigram(header.bigram())
                .withPolicy(header.policy())
                .withSessions(header.sessions())
                .withEvents(header.events() ? EventHashes.SGLANG : EventHashes.OFF);
        return header.host().map(host -> plain.withHost(host.options())).orElse(plain);
    }
}
