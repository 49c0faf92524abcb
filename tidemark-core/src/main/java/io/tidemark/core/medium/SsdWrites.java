package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a block comes to the device, in this order: the ends of the blocks that had its pages before, its bytes, its record.
 *
 * <p>Thread-safe; each reservation has one writer at a time.
 */
final class SsdWrites {
    /** While more records wait, a device hangs: what can do without a new one does. */
    private static final int BACKLOG_MAX = 65_536;

    private final String name;
    private final SsdSpace space;
    private final Slab slab;
    private final BlockIo io;
    private final Journal journal;
    private final SsdKeeper keeper;
    private final RecordedAgain recordedAgain;

    SsdWrites(
            String name,
            SsdSpace space,
            Slab slab,
            BlockIo io,
            Journal journal,
            SsdKeeper keeper,
            RecordedAgain recordedAgain) {
        this.name = name;
        this.space = space;
        this.slab = slab;
        this.io = io;
        this.journal = journal;
        this.keeper = keeper;
        this.recordedAgain = recordedAgain;
    }

    /** Writes bytes of a reservation, and sums them up. */
    void write(long copy, long offset, MemorySegment source) throws IOException {
        PendingBlock block = requirePending(copy);
        Objects.checkFromIndexSize(offset, source.byteSize(), block.lengthBytes);
        if (block.sealed) {
            throw new IllegalStateException(name + ": copy " + copy + " is sealed");
        }
        settleOldEnds(block);
        try {
            slab.inTurn(() -> io.write(block.extents, block.lengthBytes, offset, source));
        } catch (SysException e) {
            block.unbacked |= Errno.isFull(e.errno());
            throw e;
        }
        block.checksums.update(offset, source);
    }

    /** Writes and records whole blocks, all of which are {@linkplain BlockIo#isAligned aligned}. */
    void writeTogether(List<WholeBlock> blocks) throws IOException {
        List<BlockIo.Whole> wholes = new ArrayList<>(blocks.size());
        for (WholeBlock block : blocks) {
            PendingBlock reserved = requirePending(block.copy());
            settleOldEnds(reserved);
            wholes.add(new BlockIo.Whole(reserved.extents, block.segments()));
        }
        // Where there is no room these pages come back as free: the first block that is tried alone finds out which
        // have none.
        slab.inTurn(() -> io.writeTogether(wholes));
        long last = 0;
        for (WholeBlock block : blocks) {
            PendingBlock written = requirePending(block.copy());
            written.checksums.updateAll(block.segments());
            last = record(block.copy(), written, block.key(), block.generation());
        }
        journal.flush(last);
    }

    /** The ends of the blocks that had these pages before are on disk before the pages are written. */
    private void settleOldEnds(PendingBlock block) throws IOException {
        if (!block.freedOnDisk) {
            journal.flush(block.freedTicket);
            block.freedOnDisk = true;
        }
    }

    /** Records a written reservation, unless that is done, and returns once the record is on disk. */
    void seal(long copy, byte[] key, long generation) throws IOException {
        PendingBlock block = requirePending(copy);
        if (block.sealed) {
            return;
        }
        if (!block.checksums.isComplete()) {
            io.sum(block.checksums, block.extents, block.lengthBytes);
        }
        journal.flush(record(copy, block, key, generation));
    }

    /** Notes checksums and record of a written block in memory; the answer is the record's ticket. */
    private long record(long copy, PendingBlock block, byte[] key, long generation) throws IOException {
        BlockRecord made = space.records().of(copy, block, key, generation);
        block.sealed = true;
        return journal.put(made);
    }

    /** Records a findable copy under another key, in memory; without room for that, its old key stays. */
    void recordAs(long copy, byte[] key, long generation) {
        CopyTable copies = space.copies();
        if (!copies.state(copy).findable() || journal.backlog() > BACKLOG_MAX) {
            return;
        }
        SsdRecords records = space.records();
        BlockRecord again = records.again(copy, copies.lengthHeld(copy), space.extents(copy), key, generation);
        if (!records.replace(again)) {
            return; // as good as a kill right before: the old key stays
        }
        recordedAgain.begin(copy);
        recordedAgain.recorded(copy, journal.put(again));
        if (recordedAgain.isLarge()) {
            journal.wantEpoch();
        }
        keeper.wake();
    }

    private PendingBlock requirePending(long copy) {
        return space.pending(copy)
                .orElseThrow(() -> new IllegalStateException(name + ": copy " + copy + " is not reserved"));
    }
}
