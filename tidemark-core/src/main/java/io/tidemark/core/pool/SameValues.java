package io.tidemark.core.pool;

import io.tidemark.core.medium.MappedMedium;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Finds puts that brought what their key holds already: these store nothing, here or in a tier below. The value that is there
 * is pinned and compared without a lock. Where it is in memory the bytes are compared at once; where it is on a device its
 * checksums decide first, which asks no device, and only if all agree its bytes are read: two values may share a checksum.
 */
final class SameValues {
    /** What is read of a device at a time. */
    private static final int WINDOW_BYTES = 1 << 20;

    private static final int ALIGNMENT_BYTES = 4_096;

    /** The value that a key held, pinned; {@link #release} ends it. */
    record Same(int entry, Backend backend, long copy) {}

    private final EntryIndex index;
    private final Entries entries;
    private final CopyStates states;
    private final Evictions evictions;
    private final LongAdder unchanged = new LongAdder();

    SameValues(Blocks blocks, Evictions evictions) {
        index = blocks.index();
        entries = blocks.entries();
        states = blocks.states();
        this.evictions = evictions;
    }

    /**
     * The value that the key holds, where it is the one that this put brought.
     *
     * @param mayRead whether a device may be asked; what only one could tell is no such value otherwise
     */
    Optional<Same> find(ReservedPut put, boolean mayRead) {
        Optional<Same> pinned = pin(put);
        boolean same = false;
        try {
            same = pinned.isPresent()
                    && (mayRead || !pinned.get().backend().isDevice())
                    && holds(pinned.get(), ((MappedMedium) put.backend.medium).segments(put.copy));
        } finally {
            if (!same) {
                pinned.ifPresent(this::release);
            }
        }
        return same ? pinned : Optional.empty();
    }

    /** Pins the value that the key holds when its length is that of the put. */
    private Optional<Same> pin(ReservedPut put) {
        BlockKey key = put.request.key();
        long hash = index.hash(key);
        EntryStripe stripe = index.stripe(hash);
        stripe.lock.lock();
        try {
            Optional<Entry> entry = entries.find(stripe, hash, key);
            int cell = entry.map(found -> entries.readableCellOf(found, key.part()))
                    .orElse(EntryRows.NONE);
            if (cell == EntryRows.NONE) {
                return Optional.empty();
            }
            Backend backend = entries.backendOf(stripe.rows, cell);
            long copy = stripe.rows.handle(cell);
            return backend.copies().lengthBytes(copy) == put.request.bytes()
                            && backend.copies().pin(copy)
                    ? Optional.of(new Same(entry.orElseThrow().id(), backend, copy))
                    : Optional.empty();
        } finally {
            stripe.lock.unlock();
        }
    }

    private static boolean holds(Same old, List<MemorySegment> bytes) {
        if (old.backend().medium instanceof MappedMedium mapped) {
            return same(mapped.segments(old.copy()), bytes);
        }
        return old.backend().medium.mayHold(old.copy(), bytes) && deviceHolds(old, bytes);
    }

    /** A device that fails or is out of use holds nothing that could be counted on: the put is stored. */
    private static boolean deviceHolds(Same old, List<MemorySegment> bytes) {
        long length = bytes.stream().mapToLong(MemorySegment::byteSize).sum();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment window = arena.allocate(Math.clamp(length, 1, WINDOW_BYTES), ALIGNMENT_BYTES);
            for (long at = 0; at < length; at += WINDOW_BYTES) {
                MemorySegment read = window.asSlice(0, Math.min(WINDOW_BYTES, length - at));
                old.backend().medium.read(old.copy(), at, read);
                if (!same(List.of(read), new ByteRange(at, read.byteSize()).slice(bytes))) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether two values of equal length, each cut in its own way, hold the same bytes. */
    private static boolean same(List<MemorySegment> left, List<MemorySegment> right) {
        int i = 0;
        int j = 0;
        long atLeft = 0;
        long atRight = 0;
        while (i < left.size() && j < right.size()) {
            long step = Math.min(left.get(i).byteSize() - atLeft, right.get(j).byteSize() - atRight);
            if (MemorySegment.mismatch(left.get(i), atLeft, atLeft + step, right.get(j), atRight, atRight + step)
                    >= 0) {
                return false;
            }
            atLeft += step;
            atRight += step;
            if (atLeft == left.get(i).byteSize()) {
                i++;
                atLeft = 0;
            }
            if (atRight == right.get(j).byteSize()) {
                j++;
                atRight = 0;
            }
        }
        return true;
    }

    /** Whether the key still holds this value. Under the lock of its stripe. */
    boolean stands(Same old) {
        return standing(old).isPresent();
    }

    private Optional<Entry> standing(Same old) {
        return entries.owner(old.entry(), old.backend(), old.copy())
                .filter(entry -> !entries.lives().isOver(entry));
    }

    /** Where the value stands: it was put again, with these hints. Under the lock of its stripe. */
    void putAgain(Same old, PutHints hints, Optional<Chains.Link> parent) {
        standing(old).ifPresent(found -> {
            states.describeAgain(found, hints, parent);
            if (!hints.keepsLife()) {
                entries.lives().change(found, hints.ttlMillis());
            }
            unchanged.increment();
        });
    }

    /** Ends the pin; once. */
    void release(Same old) {
        EntryStripe stripe = index.stripeOf(old.entry());
        boolean free;
        stripe.lock.lock();
        try {
            free = old.backend().copies().unpin(old.copy());
        } finally {
            stripe.lock.unlock();
        }
        if (free) {
            evictions.free(List.of(Doomed.unpinned(old.backend(), old.copy())));
        }
    }

    void show(CounterVisitor visitor) {
        visitor.counter(
                "tidemark_unchanged_puts_total",
                "Puts of the value that was there: nothing was stored.",
                unchanged.sum());
    }
}
