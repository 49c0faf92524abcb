package io.tidemark.core.pool;

import io.tidemark.core.pool.CopyStates.NewCopy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Takes over what media brought from an earlier process, before the pool is used. A medium shows its copies from
 * several threads at once, about the youngest first. Of several values of one part the youngest stays; copies of it
 * in several tiers all do. The oldest blocks for which the index has no room are dropped, as an eviction does.
 */
final class PoolRecovery {
    private static final System.Logger LOG = System.getLogger(PoolRecovery.class.getName());

    private final EntryIndex index;
    private final Entries entries;
    private final CopyStates states;
    private final Evictions evictions;
    private final UnwrittenEnds ends;
    private final IndexSpace space;
    /** Generations of parts of entries that hold both; of the others, the entry knows. */
    private final Map<BlockKey, Long> generations = new ConcurrentHashMap<>();

    private final Queue<BlockKey> secondParts = new ConcurrentLinkedQueue<>();
    private final Queue<Doomed> useless = new ConcurrentLinkedQueue<>();
    private final LongAccumulator highest = new LongAccumulator(Math::max, 0);
    private final LongAdder dropped = new LongAdder();
    /** What the index may take with the blocks of the backend whose turn it is. */
    private volatile long indexBytesMost = 0;

    PoolRecovery(
            EntryIndex index,
            Entries entries,
            CopyStates states,
            Evictions evictions,
            UnwrittenEnds ends,
            IndexSpace space) {
        this.index = index;
        this.entries = entries;
        this.states = states;
        this.evictions = evictions;
        this.ends = ends;
        this.space = space;
    }

    /** Takes over the copies of all backends; answers the highest generation seen. */
    long run(List<Backend> backends) {
        long all =
                backends.stream().mapToLong(backend -> backend.copies().count()).sum();
        index.expect(Math.min(all, space.recoverableBytes() / space.entryBytes(0)));
        long before = 0;
        for (Backend backend : backends) {
            before += backend.copies().count();
            // of an index that is too small each backend gets its share
            indexBytesMost = (long) (space.recoverableBytes() * ((double) before / Math.max(1, all)));
            backend.medium.recovered((copy, key, generation, length) -> adopt(backend, copy, key, generation));
        }
        if (dropped.sum() > 0) {
            LOG.log(System.Logger.Level.WARNING, "no room in the index for the {0} oldest blocks", dropped.sum());
        }
        secondParts.forEach(this::adopted);
        evictions.free(List.copyOf(useless));
        ends.awaitAll();
        return highest.get();
    }

    private void adopt(Backend backend, long copy, byte[] recordKey, long generation) {
        highest.accumulate(generation);
        RecordKey record = RecordKey.parse(recordKey);
        long hash = index.hash(record.key());
        EntryStripe stripe = index.stripe(hash);
        boolean fits;
        stripe.lock.lock();
        try {
            fits = fits(stripe, hash, record.key());
            if (!fits) {
                backend.copies().doom(copy);
            } else if (makesWay(stripe, hash, record.key(), generation)) {
                int part = record.key().part();
                if (part > 0) {
                    secondParts.add(record.key());
                }
                states.adopt(stripe, hash, record, new NewCopy(backend, copy, part, generation, Stored.RECOVERY));
            } else {
                backend.copies().doom(copy);
                ends.note(backend, copy, () -> hash);
                useless.add(Doomed.unpinned(backend, copy));
            }
        } finally {
            stripe.lock.unlock();
        }
        if (!fits) {
            dropped.increment();
            evictions.free(List.of(Doomed.unpinned(backend, copy)));
        }
    }

    /** Whether the index has room for the key, or holds it already. */
    private boolean fits(EntryStripe stripe, long hash, BlockKey key) {
        return space.usedBytes() + space.entryBytes(key.bytes().length) <= indexBytesMost
                || stripe.find(key.bytes(), hash) != EntryRows.NONE;
    }

    private void adopted(BlockKey key) {
        long hash = index.hash(key);
        EntryStripe stripe = index.stripe(hash);
        stripe.lock.lock();
        try {
            states.adopted(stripe, hash, key);
        } finally {
            stripe.lock.unlock();
        }
    }

    /** Whether no younger value of the part is there; an older one is taken out of sight. */
    private boolean makesWay(EntryStripe stripe, long hash, BlockKey key, long generation) {
        int row = stripe.find(key.bytes(), hash);
        if (row == EntryRows.NONE) {
            return true;
        }
        Entry entry = new Entry(stripe, row);
        BlockKey other = key.part(1 - key.part());
        if (entries.cellOf(entry, other.part()) != EntryRows.NONE) {
            generations.putIfAbsent(other, stripe.rows.generation(row));
            long standing = generations.getOrDefault(key, 0L);
            generations.put(key, Math.max(standing, generation));
            return replaced(entry, key.part(), standing, generation);
        }
        return replaced(entry, key.part(), stripe.rows.generation(row), generation);
    }

    private boolean replaced(Entry entry, int part, long standing, long generation) {
        if (standing > 0 && standing < generation && entries.cellOf(entry, part) != EntryRows.NONE) {
            useless.addAll(states.dropPart(entry, part, Left.OVERWRITTEN));
        }
        return standing <= generation;
    }
}
