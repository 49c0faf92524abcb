package io.tidemark.core.medium;

import io.tidemark.core.medium.Reclaimable.Freed;
import io.tidemark.core.medium.Reclaimable.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The books of an SSD medium about what blocks take, and the one order in which they are written:
 *
 * <pre>
 *  take     ledger, pages, slot ({@link PagedSpace}); room for the record; pending
 *  cancel   pending; slot RESERVED no more; end told; pages or {@link LostPages}, slot, ledger; room for the record
 *  free     slot retired; end told; pages, slot, ledger; room for the record
 * </pre>
 *
 * <p>What a {@code take} that is refused or fails has written is unwound by {@code cancel}, so no book keeps what another
 * has given back. Thread-safe through its parts; it has no lock of its own.
 */
final class SsdSpace {
    private static final long[] NONE = {};

    private final SsdOptions options;
    private final PageRunAllocator allocator;
    private final Ledger ledger;
    private final CopyTable copies;
    private final PagedSpace paged;
    private final SsdRecords records;
    private final LostPages lost;
    private final LongSupplier lastGone;
    private final LongConsumer end;
    private final Map<Long, PendingBlock> pending = new ConcurrentHashMap<>();

    /**
     * Nothing is free before {@link #restore}.
     *
     * @param recordBytesMax largest record that the journal takes
     * @param lastGone ticket of the last end that was told
     * @param end told of a copy with a record that goes, before its pages can be handed out again
     */
    SsdSpace(
            SsdOptions options,
            SsdLayout layout,
            SlabPlan plan,
            long recordBytesMax,
            LongSupplier lastGone,
            LongConsumer end) {
        this.options = options;
        this.lastGone = lastGone;
        this.end = end;
        allocator = new PageRunAllocator(plan.pages());
        ledger = new Ledger((long) plan.usablePages() * options.pageBytes());
        copies = new CopyTable(ledger, options.pageBytes(), plan.slots());
        paged = new PagedSpace(options.pageBytes(), allocator, ledger, copies);
        lost = new LostPages(options.name(), allocator, ledger, System::nanoTime);
        RecordRoom room = new RecordRoom(ledger, options.pageBytes(), layout.recordBytesMax(), plan.usablePages());
        records = new SsdRecords(options.name(), options.pageBytes(), room, recordBytesMax, plan.pages(), plan.slots());
    }

    Ledger ledger() {
        return ledger;
    }

    CopyTable copies() {
        return copies;
    }

    SsdRecords records() {
        return records;
    }

    LostPages lost() {
        return lost;
    }

    /** Where a copy lies. */
    Extents extents(long copy) {
        return Extents.of(allocator, paged.first(copy), options.pageBytes());
    }

    /** Puts what an earlier process left back in its place; the rest of the slab becomes free. */
    void restore(RecordLog log, SlabPlan plan) throws IOException {
        ledger.touched(ledger.capacityBytes());
        RecordLog.Row block = log.row();
        long bytes = 0;
        long recordBytes = 0;
        for (long position : plan.blocks()) {
            restore(block.at(position));
            bytes += charge(block.lengthBytes());
            recordBytes += block.bytes();
        }
        if (!ledger.reserve(bytes)) {
            throw new IOException(options.name() + ": blocks were kept that there is no room for");
        }
        ledger.committed(bytes);
        records.restored(recordBytes);
        copies.restored();
        int[] free = plan.free();
        for (int i = 0; i < free.length; i += 2) {
            allocator.add(free[i], free[i + 1]);
        }
    }

    private void restore(RecordLog.Row block) {
        long copy = block.handle();
        int length = block.lengthBytes();
        if (block.runs() == 1) {
            int first = block.first(0);
            copies.restore(copy, length, paged.adoptAlone(first, block.pages(0)));
            records.restore(copy, block, first);
        } else {
            int[] runs = block.runPairs();
            copies.restore(copy, length, paged.adopt(runs));
            records.restore(copy, block, new Extents(runs, options.pageBytes()));
        }
    }

    /** A RESERVED copy with pages for its bytes and room for its record; {@link CopyTable#NO_COPY}: too little of one. */
    long take(int bytes, int keyBytes) {
        long copy = paged.take(bytes);
        boolean taken =
                copy != CopyTable.NO_COPY && admit(new long[] {copy}, List.of(new WholeBlock.Size(bytes, keyBytes)));
        return taken ? copy : CopyTable.NO_COPY;
    }

    /** As {@link #take} for several blocks, side by side where that is possible; empty when there is too little for all. */
    long[] takeTogether(List<WholeBlock.Size> blocks) {
        long[] taken = paged.takeTogether(
                blocks.stream().mapToInt(WholeBlock.Size::lengthBytes).toArray());
        return taken.length > 0 && admit(taken, blocks) ? taken : NONE;
    }

    /** Room for the records of all of them; false, also where this throws, and they are no more: too little. */
    private boolean admit(long[] taken, List<WholeBlock.Size> blocks) {
        boolean admitted = false;
        try {
            PendingBlock[] made = new PendingBlock[taken.length];
            for (int i = 0; i < taken.length; i++) {
                made[i] = new PendingBlock(
                        taken[i], blocks.get(i).lengthBytes(), extents(taken[i]), lastGone.getAsLong());
            }
            admitted = records.reserve(taken, made, blocks);
            for (int i = 0; admitted && i < taken.length; i++) {
                pending.put(taken[i], made[i]);
            }
        } finally {
            if (!admitted) {
                for (long copy : taken) {
                    paged.cancel(copy, SsdSpace::nothing);
                }
            }
        }
        return admitted;
    }

    /** What is kept of a reservation, if this copy is one. */
    Optional<PendingBlock> pending(long copy) {
        return Optional.ofNullable(pending.get(copy));
    }

    /** Whether a copy at its end has a record, which says that it is there. */
    boolean hasRecord(long copy) {
        return switch (copies.state(copy)) {
            case DOOMED -> true;
            case RESERVED -> {
                PendingBlock block = pending.get(copy);
                yield block != null && block.sealed;
            }
            case COMMITTED, MOVING, FREED -> false;
        };
    }

    /** Makes a reserved copy COMMITTED; false, and nothing changes, when it is RESERVED no more. */
    boolean commit(long copy) {
        boolean done = copies.commit(copy);
        if (done) {
            pending.remove(copy);
        }
        return done;
    }

    /** Ends a reservation; false, and nothing changes, when it is none. */
    boolean cancel(long copy) {
        PendingBlock block = pending.remove(copy);
        if (block == null) {
            return false;
        }
        int record = records.bytes(copy);
        LongConsumer told = block.sealed ? end : SsdSpace::nothing;
        boolean done = block.unbacked
                ? paged.cancel(copy, told, first -> lost.add(first, block.extents, charge(block.lengthBytes)))
                : paged.cancel(copy, told);
        if (done) {
            records.release(record);
        }
        return done;
    }

    /** Frees a committed copy. */
    Freed free(long copy) {
        int record = records.bytes(copy);
        Freed freed = paged.free(copy, end);
        if (freed.outcome() == Outcome.FREED) {
            records.release(record);
        }
        return freed;
    }

    /** The end of a copy that has no record. */
    private static void nothing(long copy) {}

    private long charge(int bytes) {
        return CopyTable.charge(bytes, options.pageBytes());
    }
}
