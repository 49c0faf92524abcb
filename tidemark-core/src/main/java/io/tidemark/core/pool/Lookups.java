package io.tidemark.core.pool;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** What is asked about a block without its bytes: is it there, where, how long, for how long; and its time to live. */
final class Lookups {
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** Life of a block without a limit, in the words of the Redis protocol. */
    private static final long NO_LIMIT = -1;
    /** Life of a block that is not there. */
    private static final long NO_KEY = -2;

    private final EntryIndex index;
    private final Entries entries;
    private final Leases leases;

    Lookups(EntryIndex index, Entries entries, Leases leases) {
        this.index = index;
        this.entries = entries;
        this.leases = leases;
    }

    /** See {@link Session#lookup}. */
    OptionalLong lookup(Session session, BlockKey key) {
        return withCell(key, this::readable, (entry, cell) -> {
            Backend backend = entries.backendOf(entry.rows(), cell);
            long copy = entry.rows().handle(cell);
            if (!session.isClosed()) {
                leases.take(session, entry.id(), backend, backend.copies().allocatedBytes(copy), entries.parts(entry));
            }
            return backend.copies().lengthBytes(copy);
        });
    }

    /** See {@link Pool#sizeOf}. */
    OptionalLong sizeOf(BlockKey key) {
        return withCell(
                key,
                this::readable,
                (entry, cell) -> entries.backendOf(entry.rows(), cell)
                        .copies()
                        .lengthBytes(entry.rows().handle(cell)));
    }

    /** See {@link Pool#contains}. */
    boolean contains(BlockKey key) {
        return withCell(key, this::named, (entry, cell) -> 1).isPresent();
    }

    /** See {@link Pool#usedAsChain}. */
    void usedAsChain(List<BlockKey> chain) {
        for (BlockKey key : chain.reversed()) {
            withCell(key, this::named, (entry, cell) -> {
                EntryRows rows = entry.rows();
                for (int each = rows.firstCell(entry.row()); each != EntryRows.NONE; each = rows.next(each)) {
                    entries.backendOf(rows, each).copies().order().refresh(rows.handle(each));
                }
                return 0;
            });
        }
    }

    /** See {@link Pool#where}. */
    List<CopyInfo> where(BlockKey key) {
        return copies(key, entry -> !entries.lives().isOver(entry));
    }

    /** See {@link Pool#remains}. */
    List<CopyInfo> remains(BlockKey key) {
        return copies(key, entry -> true);
    }

    private List<CopyInfo> copies(BlockKey key, Predicate<Entry> counts) {
        long hash = index.hash(key);
        EntryStripe stripe = index.stripe(hash);
        stripe.lock.lock();
        try {
            int row = stripe.find(key.bytes(), hash);
            return Optional.of(new Entry(stripe, row))
                    .filter(entry -> row != EntryRows.NONE && counts.test(entry))
                    .map(entries::copies)
                    .orElse(List.of());
        } finally {
            stripe.lock.unlock();
        }
    }

    /** Sets the life of a block from now on, or takes its limit away. False: no such key. */
    boolean setLife(BlockKey key, OptionalLong ttlMillis) {
        return withCell(key, this::named, (entry, cell) -> {
                    entries.lives().change(entry, ttlMillis);
                    return 1;
                })
                .isPresent();
    }

    /** See {@link Pool#ttlMillis}. */
    long ttlMillis(BlockKey key) {
        return withCell(key, this::named, (entry, cell) -> {
                    OptionalLong nanos = entries.lives().leftNanos(entry);
                    return nanos.isPresent() ? Math.ceilDiv(nanos.getAsLong(), NANOS_PER_MILLI) : NO_LIMIT;
                })
                .orElse(NO_KEY);
    }

    private interface CellReader {
        long read(Entry entry, int cell);
    }

    private interface CellFinder {
        int find(Entry entry, int part);
    }

    /** A copy of the part, on a device that works or not. */
    private int named(Entry entry, int part) {
        return entries.cellOf(entry, part);
    }

    private int readable(Entry entry, int part) {
        return entries.readableCellOf(entry, part);
    }

    private OptionalLong withCell(BlockKey key, CellFinder finder, CellReader reader) {
        long hash = index.hash(key);
        EntryStripe stripe = index.stripe(hash);
        stripe.lock.lock();
        try {
            Optional<Entry> entry = entries.find(stripe, hash, key);
            int cell = entry.map(found -> finder.find(found, key.part())).orElse(EntryRows.NONE);
            return cell == EntryRows.NONE
                    ? OptionalLong.empty()
                    : OptionalLong.of(reader.read(entry.orElseThrow(), cell));
        } finally {
            stripe.lock.unlock();
        }
    }
}
