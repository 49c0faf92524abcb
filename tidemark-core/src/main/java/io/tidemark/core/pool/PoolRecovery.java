package io.tidemark.core.pool;

import io.tidemark.core.medium.RecoveredCopies;
import io.tidemark.core.pool.CopyStates.NewCopy;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Takes over what media brought from an earlier process, before the pool is used. A medium shows its copies from
 * several threads at once, the youngest first. Of several values of one part the youngest stays; copies of it
 * in several tiers all do. The oldest blocks for which the index has no room are dropped, as an eviction does.
 */
final class PoolRecovery {
    private static final System.Logger LOG = System.getLogger(PoolRecovery.class.getName());

    /** Of the index's account a thread may keep so much to itself, and no larger part of it than this. */
    private static final long UNTOLD_BYTES_MAX = 64 << 10;

    private static final long UNTOLD_PART = 256;

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

    PoolRecovery(Blocks blocks, Evictions evictions, UnwrittenEnds ends, IndexSpace space) {
        index = blocks.index();
        entries = blocks.entries();
        states = blocks.states();
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
            backend.medium.recovered(new Lane(backend, 0, 1));
        }
        if (dropped.sum() > 0) {
            LOG.log(System.Logger.Level.WARNING, "no room in the index for the {0} oldest blocks", dropped.sum());
        }
        secondParts.forEach(this::adopted);
        evictions.free(List.copyOf(useless));
        ends.awaitAll();
        return highest.get();
    }

    /**
     * What one thread takes over of a share of one backend: the blocks of some stripes, so that threads do not pull each other's
     * lines out of the caches. Told to the accounts that all threads share now and then only.
     */
    private final class Lane implements RecoveredCopies {
        private final Backend backend;
        private final int number;
        private final int lanes;
        private final PlainBlocks waiting = new PlainBlocks();
        private long count;
        private long bytes;
        private long indexBytes;
        private long newest;

        Lane(Backend backend, int number, int lanes) {
            this.backend = backend;
            this.number = number;
            this.lanes = lanes;
        }

        @Override
        public List<RecoveredCopies> shares(int most) {
            return IntStream.range(0, most)
                    .<RecoveredCopies>mapToObj(at -> new Lane(backend, at, most))
                    .toList();
        }

        private boolean isMine(long hash) {
            return index.stripeNumber(hash) % lanes == number;
        }

        @Override
        public void copy(long copy, byte[] recordKey, long generation, long lengthBytes) {
            RecordKey record = RecordKey.parse(recordKey);
            long hash = index.hash(record.key());
            if (isMine(hash)) {
                newest = Math.max(newest, generation);
                if (adopt(this, copy, record, hash, generation)) {
                    adopted(lengthBytes);
                }
            }
        }

        @Override
        public void copy(long copy, byte[] array, int keyAt, int keyBytes, long generation, long lengthBytes) {
            int from = keyAt + 1;
            int end = keyAt + keyBytes;
            boolean plain =
                    array[keyAt] == RecordKey.PLAIN && end - from >= 1 && end - from <= PlainBlocks.KEY_BYTES_MAX;
            if (!plain) {
                RecoveredCopies.super.copy(copy, array, keyAt, keyBytes, generation, lengthBytes);
                return;
            }
            long hash = index.hash(array, from, end);
            if (isMine(hash)) {
                if (waiting.isFull()) {
                    addWaiting();
                }
                waiting.add(copy, array, from, end, hash, generation, lengthBytes);
            }
        }

        private void addWaiting() {
            waiting.peek(index);
            for (int at = 0; at < waiting.size(); at++) {
                addWaiting(at);
            }
            waiting.clear();
        }

        private void addWaiting(int at) {
            newest = Math.max(newest, waiting.generations[at]);
            boolean added = addNew(
                    waiting.copies[at],
                    waiting.keys,
                    waiting.keyAt(at),
                    waiting.ends[at],
                    waiting.hashes[at],
                    waiting.generations[at]);
            if (added
                    || adopt(
                            this,
                            waiting.copies[at],
                            new RecordKey(waiting.key(at), OptionalLong.empty()),
                            waiting.hashes[at],
                            waiting.generations[at])) {
                adopted(waiting.lengths[at]);
            }
        }

        private void adopted(long lengthBytes) {
            count++;
            bytes += backend.allocated(lengthBytes);
        }

        /**
         * What nearly all are, without an object: the first copy of a block of one part that lives for ever. False, and
         * nothing changes, where the key is there already, or there is no room.
         */
        private boolean addNew(long copy, byte[] array, int from, int end, long hash, long generation) {
            EntryStripe stripe = index.stripe(hash);
            stripe.lock.lock();
            try {
                if (stripe.find(array, from, end, hash) != EntryRows.NONE || !hasRoom(end - from)) {
                    return false;
                }
                int row = stripe.adopt(array, from, end, hash, generation, copy, Place.of(backend.number, 0));
                backend.copies().adopted(copy, stripe.entryId(row));
            } finally {
                stripe.lock.unlock();
            }
            added(end - from);
            return true;
        }

        /** Whether the index has room for one more key. */
        boolean hasRoom(int keyBytes) {
            return space.usedBytes() + indexBytes + space.entryBytes(keyBytes) <= indexBytesMost;
        }

        int add(EntryStripe stripe, BlockKey key, long hash, long generation) {
            int row = stripe.adopt(key.bytes(), hash, generation);
            added(key.bytes().length);
            return row;
        }

        private void added(int keyBytes) {
            indexBytes += space.entryBytes(keyBytes);
            if (indexBytes > Math.min(UNTOLD_BYTES_MAX, space.limitBytes() / UNTOLD_PART)) {
                tellIndex();
            }
        }

        private void tellIndex() {
            space.taken(indexBytes);
            indexBytes = 0;
        }

        @Override
        public void end() {
            addWaiting();
            tellIndex();
            backend.counters.stored(Stored.RECOVERY, count, bytes);
            highest.accumulate(newest);
        }
    }

    /** Whether the copy was taken over. */
    private boolean adopt(Lane lane, long copy, RecordKey record, long hash, long generation) {
        Backend backend = lane.backend;
        BlockKey key = record.key();
        EntryStripe stripe = index.stripe(hash);
        boolean fits;
        stripe.lock.lock();
        try {
            int row = stripe.find(key.bytes(), hash);
            fits = row != EntryRows.NONE || lane.hasRoom(key.bytes().length);
            if (fits && (row == EntryRows.NONE || makesWay(new Entry(stripe, row), key, generation))) {
                // what made way may have been the last copy of its entry
                int standing = row == EntryRows.NONE ? row : stripe.find(key.bytes(), hash);
                int at = standing == EntryRows.NONE ? lane.add(stripe, key, hash, generation) : standing;
                if (key.part() > 0) {
                    secondParts.add(key);
                }
                NewCopy found = new NewCopy(backend, copy, key.part(), generation, Stored.RECOVERY);
                states.adopt(new Entry(stripe, at), record, found);
                return true;
            }
            backend.copies().doom(copy);
            if (fits) {
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
        return false;
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
    private boolean makesWay(Entry entry, BlockKey key, long generation) {
        BlockKey other = key.part(1 - key.part());
        if (entries.cellOf(entry, other.part()) != EntryRows.NONE) {
            long ofEntry = entry.rows().generation(entry.row());
            generations.putIfAbsent(other, ofEntry);
            long standing = generations.getOrDefault(key, 0L);
            generations.put(key, Math.max(standing, generation));
            return replaced(entry, key.part(), standing, generation);
        }
        return replaced(entry, key.part(), entry.rows().generation(entry.row()), generation);
    }

    private boolean replaced(Entry entry, int part, long standing, long generation) {
        if (standing > 0 && standing < generation && entries.cellOf(entry, part) != EntryRows.NONE) {
            useless.addAll(states.dropPart(entry, part, Left.OVERWRITTEN));
        }
        return standing <= generation;
    }
}
