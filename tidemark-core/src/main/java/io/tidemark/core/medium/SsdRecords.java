package io.tidemark.core.medium;

import java.io.IOException;
import java.util.List;

/**
 * What journal and checkpoints say of the copies of one SSD medium: the checksums of their chunks, and the room that their
 * records take in a checkpoint. Room is taken when space is asked for, so that nothing is written for which there will be
 * no record.
 *
 * <p>What is kept of a copy is touched by its one owner at a time.
 */
final class SsdRecords {
    private final String name;
    private final int pagesAChunk;
    private final RecordRoom room;
    /** Largest record that the journal takes. */
    private final long recordBytesMax;
    /** Checksum of each chunk, at the page that the chunk starts in. */
    private final Ints checksums;
    /** Room taken for each copy's record, by slot. */
    private final Ints recordBytes;

    SsdRecords(String name, int pageBytes, RecordRoom room, long recordBytesMax, int pages, int slots) {
        this.name = name;
        pagesAChunk = Checksums.CHUNK_BYTES / pageBytes;
        this.room = room;
        this.recordBytesMax = recordBytesMax;
        checksums = new Ints(pages);
        recordBytes = new Ints(slots);
    }

    /** Takes room for the records of new reservations, which lie there: for all, or false, and nothing changes. */
    boolean reserve(long[] reserved, PendingBlock[] blocks, List<WholeBlock.Size> sizes) {
        int[] bytes = new int[reserved.length];
        long all = 0;
        for (int i = 0; i < bytes.length; i++) {
            int chunks = Checksums.chunks(blocks[i].lengthBytes);
            bytes[i] = BlockRecord.bytes(sizes.get(i).keyBytes(), blocks[i].extents.runs().length / 2, chunks);
            if (bytes[i] > recordBytesMax) {
                return false;
            }
            all += bytes[i];
        }
        if (!room.take(all)) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            recordBytes.set((int) reserved[i], bytes[i]);
        }
        return true;
    }

    /** Bytes of room that a copy holds. */
    int bytes(long copy) {
        return recordBytes.get((int) copy);
    }

    /** The record of a copy is void; its slot may be in other hands by now. */
    void release(int bytes) {
        room.give(bytes);
    }

    /**
     * The record of a written reservation.
     *
     * @throws IOException when it is longer than it was said to become, and there is too little room
     */
    BlockRecord of(long copy, PendingBlock block, byte[] key, long generation) throws IOException {
        int[] sums = block.checksums.sums();
        for (int chunk = 0; chunk < sums.length; chunk++) {
            checksums.set(pageOf(block.extents, chunk), sums[chunk]);
        }
        BlockRecord made = new BlockRecord(copy, generation, block.lengthBytes, key, block.extents.runs(), sums);
        if (!change(copy, made.bytes(), bytes(copy))) {
            throw new IOException(name + ": no room for a record of " + made.bytes() + " bytes");
        }
        return made;
    }

    /** What the record of a copy that has one would be under another key; {@link #replace} makes room for it. */
    BlockRecord again(long copy, int lengthBytes, Extents extents, byte[] key, long generation) {
        int[] sums = sums(extents, lengthBytes);
        return new BlockRecord(copy, generation, lengthBytes, key, extents.runs(), sums);
    }

    /** Takes room for a copy's next record instead of the one it has; false, and nothing changes: too little. */
    boolean replace(BlockRecord again) {
        return change(again.handle(), again.bytes(), bytes(again.handle()));
    }

    /** The checksums of all chunks of a copy. */
    int[] sums(Extents extents, int lengthBytes) {
        int[] sums = new int[Checksums.chunks(lengthBytes)];
        for (int chunk = 0; chunk < sums.length; chunk++) {
            sums[chunk] = sum(extents, chunk);
        }
        return sums;
    }

    /** The checksum that a chunk of a copy must have. */
    int sum(Extents extents, int chunk) {
        return checksums.get(pageOf(extents, chunk));
    }

    /** A record that was found at the start, of a copy in one run of pages; its room is taken by {@link #restored}. */
    void restore(long copy, RecordLog.Row block, int firstPage) {
        int chunks = Checksums.chunks(block.lengthBytes());
        if (chunks == 1) { // without a loop the compilers have less to do, at a start
            checksums.set(firstPage, block.checksum(0));
        } else {
            restore(block, firstPage, chunks);
        }
        recordBytes.set((int) copy, block.bytes());
    }

    private void restore(RecordLog.Row block, int firstPage, int chunks) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            checksums.set(firstPage + chunk * pagesAChunk, block.checksum(chunk));
        }
    }

    /** As {@link #restore(long, RecordLog.Row, int)}, of a copy in several runs. */
    void restore(long copy, RecordLog.Row block, Extents extents) {
        int chunks = Checksums.chunks(block.lengthBytes());
        for (int chunk = 0; chunk < chunks; chunk++) {
            checksums.set(pageOf(extents, chunk), block.checksum(chunk));
        }
        recordBytes.set((int) copy, block.bytes());
    }

    /** All blocks are in place: what their records hold beyond their share is in nobody's way any more. */
    void restored(long allBytes) throws IOException {
        if (!room.take(allBytes)) {
            throw new IOException(name + ": records of " + allBytes + " bytes were kept, more than there is room for");
        }
    }

    private static int pageOf(Extents extents, int chunk) {
        return extents.pageAt((long) chunk * Checksums.CHUNK_BYTES);
    }

    private boolean change(long copy, int bytes, int taken) {
        if (bytes > recordBytesMax || (bytes > taken && !room.take(bytes - taken))) {
            return false;
        }
        room.give(Math.max(0, taken - bytes));
        recordBytes.set((int) copy, bytes);
        return true;
    }
}
