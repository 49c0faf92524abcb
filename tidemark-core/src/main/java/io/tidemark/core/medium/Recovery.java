package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds out at the start what is in the slab: the newest whole checkpoint, then the journals since, in order.
 *
 * <p>What the files say is believed only as far as it is sure. A block is dropped where a record of its end may have been
 * lost (a damaged frame in the middle of a journal drops all that came before, and so does a journal that is missing, was cut
 * short or has fewer frames than the next one says), where it lies outside the slab, or where a younger block lies.
 */
final class Recovery {
    private static final System.Logger LOG = System.getLogger(Recovery.class.getName());
    private static final long NO_END = -1;

    private final String name;
    private final FrameFile[] checkpoints;
    private final FrameFile[] journals;
    private final RecordLog log;
    /** The record that is read now. */
    private final RecordLog.Row row;
    /** One that was read before. */
    private final RecordLog.Row older;

    /** Positions in the log, oldest first, also of records that are void. */
    private long[] positions = new long[1024];

    private int found;
    /** Number of the youngest record of each slot, plus one; 0 for none. */
    private final Ints current = new Ints(PageRunAllocator.PAGES_MAX);

    /** Frames of the journal that was read last. */
    private int framesRead = FrameFile.NOT_KNOWN;

    private int alive;
    private int generationMax;
    /** Blocks of the checkpoint that was read last, as its end has it. */
    private long recorded = NO_END;

    private final int pages;
    /** What the blocks that are alive take, unless two of them want the same. */
    private Occupied occupied;

    private boolean disjoint = true;
    /** Whether blocks were dropped of which a file still speaks as if they were there. */
    private boolean dropped;
    /** Blocks that were recorded more than once. */
    private final List<Long> again = new ArrayList<>();

    /** Finds the blocks in the first {@code pages} of the slab; the name is for people. */
    Recovery(String name, FrameFile[] checkpoints, FrameFile[] journals, int pages) {
        this.pages = pages;
        occupied = new Occupied(pages);
        this.name = name;
        this.checkpoints = checkpoints;
        this.journals = journals;
        log = new RecordLog(journals[0].sys());
        row = log.row();
        older = log.row();
    }

    /**
     * What was found.
     *
     * @param positions of the blocks in the log, oldest first
     * @param base epoch of the checkpoint that this came from, 0 when there was none
     * @param last newest epoch that any file speaks of
     * @param generationFloor above every generation of a handle in use so far
     * @param occupied what all of them take
     * @param whole whether the files say the same as this: a block that they speak of and that is not here would be back
     *     with the next start
     * @param again blocks that were recorded more than once, the last record counts
     * @param frames of the last journal
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only carried
    record Found(
            RecordLog log,
            long[] positions,
            long base,
            long last,
            int generationFloor,
            Occupied occupied,
            boolean whole,
            List<Long> again,
            int frames) {}

    /** Reads the files. */
    Found run() throws IOException {
        FrameFile.Header[] checkpointHeaders = headers(checkpoints);
        FrameFile.Header[] journalHeaders = headers(journals);
        long base = readNewestCheckpoint(checkpointHeaders);
        long last = Math.max(newest(checkpointHeaders), newest(journalHeaders));
        if (last == 0 && pages > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: no journal and no checkpoint can be read beside a slab that was in use; the directory begins empty",
                    name);
        }
        for (long epoch = base > 0 ? base : Math.max(1, last - 1); epoch <= last; epoch++) {
            readJournal(epoch, journalHeaders);
        }
        long[] positions = disjoint ? youngest() : withoutConflicts();
        boolean whole = !dropped && positions.length == alive;
        return new Found(log, positions, base, last, generationMax + 1, occupied, whole, again, framesRead);
    }

    /** Gives the memory of the records back, where nothing comes of them. */
    void discard() {
        log.close();
    }

    private FrameFile.Header[] headers(FrameFile[] files) throws IOException {
        FrameFile.Header[] headers = new FrameFile.Header[files.length];
        for (int i = 0; i < files.length; i++) {
            headers[i] = files[i].readHeader();
            generationMax = Math.max(generationMax, headers[i].generationFloor() - 1);
        }
        return headers;
    }

    private static long newest(FrameFile.Header[] headers) {
        return Math.max(headers[0].epoch(), headers[1].epoch());
    }

    private long readNewestCheckpoint(FrameFile.Header[] headers) throws IOException {
        long newest = newest(headers);
        for (long epoch = newest; epoch > 0 && epoch >= newest - 1; epoch--) {
            int file = (int) (epoch % 2);
            if (headers[file].epoch() != epoch) {
                continue;
            }
            forgetAll();
            recorded = NO_END;
            checkpoints[file].readFrames(epoch, (payload, afterGap) -> apply(payload));
            if (recorded != NO_END) {
                lookForGaps(epoch);
                return epoch;
            }
            LOG.log(System.Logger.Level.INFO, "{0}: checkpoint {1} is not whole", name, epoch);
        }
        forgetAll();
        return 0;
    }

    /** What cannot be read of a checkpoint is no more, also where it could be read again at the next start. */
    private void lookForGaps(long epoch) {
        if (found < recorded) {
            dropped = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: checkpoint {1} is damaged: {2} of its {3} blocks cannot be made out and are dropped; the device, or"
                            + " who writes to its directory, needs a look",
                    name,
                    epoch,
                    recorded - found,
                    recorded);
        }
    }

    private void readJournal(long epoch, FrameFile.Header[] headers) throws IOException {
        int file = (int) (epoch % 2);
        if (headers[file].epoch() != epoch) {
            forget("journal " + epoch + " is missing");
            framesRead = FrameFile.NOT_KNOWN;
            return;
        }
        int before = headers[file].framesBefore();
        if (framesRead != FrameFile.NOT_KNOWN && before != FrameFile.NOT_KNOWN && framesRead < before) {
            forget("journal " + (epoch - 1) + " has " + framesRead + " of " + before + " frames");
        }
        framesRead = journals[file].readFrames(epoch, (payload, afterGap) -> {
            if (afterGap) {
                forget("journal " + epoch + " is damaged");
            }
            return apply(payload);
        });
        if (headers[file].cutShort()) {
            forget("journal " + epoch + " was cut short");
        }
    }

    /** Ends of blocks may have been lost: nothing from before is sure. */
    private void forget(String why) {
        dropped = true;
        if (alive > 0) {
            LOG.log(System.Logger.Level.WARNING, "{0}: {1}; {2} blocks from before are dropped", name, why, alive);
        }
        forgetAll();
    }

    private void forgetAll() {
        for (int number = 0; number < found; number++) {
            current.set((int) older.at(positions[number]).handle(), 0);
        }
        found = 0;
        alive = 0;
        occupied = new Occupied(pages);
        disjoint = true;
        again.clear();
    }

    private boolean apply(ByteBuffer payload) throws IOException {
        int bytes = payload.remaining();
        long position = row.append(payload);
        for (int at = 0; at < bytes; at += row.bytes()) {
            if (!applyNext(position + at, at)) {
                return false;
            }
        }
        return true;
    }

    /** One record, so many bytes into the frame; false at the end of a checkpoint. */
    private boolean applyNext(long position, int at) {
        switch (row.within(at)) {
            case RecordType.PUT -> put(position);
            case RecordType.GONE -> gone(row.handle());
            default -> {
                recorded = row.handle(); // the end of a checkpoint has the number of its blocks there
                return false;
            }
        }
        return true;
    }

    /** A block, of which {@link #row} is the record. */
    private void put(long position) {
        long handle = row.handle();
        int slot = (int) handle;
        if (slot < 0 || slot >= PageRunAllocator.PAGES_MAX) {
            return;
        }
        generationMax = Math.max(generationMax, (int) (handle >>> 32));
        int before = current.get(slot);
        if (before > 0) {
            if (older.at(positions[before - 1]).handle() == handle) {
                again.add(handle);
            }
            leave(older);
        }
        if (found == positions.length) {
            positions = Arrays.copyOf(positions, found * 2);
        }
        positions[found++] = position;
        alive++;
        current.set(slot, found);
        disjoint = disjoint && occupied.add(row);
    }

    private void gone(long handle) {
        int number = current.get((int) handle);
        if (number > 0 && older.at(positions[number - 1]).handle() == handle) {
            current.set((int) handle, 0);
            leave(older);
        }
    }

    /** A block is there no more. */
    private void leave(RecordLog.Row block) {
        alive--;
        if (disjoint) {
            occupied.remove(block);
        }
    }

    /** The records that are not void. */
    private long[] youngest() {
        if (alive == found) {
            return Arrays.copyOf(positions, found);
        }
        long[] kept = new long[alive];
        int next = 0;
        for (int number = 0; number < found; number++) {
            int slot = (int) row.at(positions[number]).handle();
            if (current.get(slot) == number + 1) {
                kept[next++] = positions[number];
            }
        }
        return kept;
    }

    /** As {@link #youngest}, where the younger one of two that want the same pages stays. */
    private long[] withoutConflicts() {
        long[] kept = new long[alive];
        int first = alive;
        occupied = new Occupied(pages);
        for (int number = found - 1; number >= 0; number--) {
            int slot = (int) row.at(positions[number]).handle();
            if (current.get(slot) == number + 1 && occupied.add(row)) {
                kept[--first] = positions[number];
            }
        }
        if (first > 0) {
            LOG.log(System.Logger.Level.WARNING, "{0}: {1}", name, homeless(first, pages));
        }
        return Arrays.copyOfRange(kept, first, alive);
    }

    /** What became of blocks that have no place in a slab of so many pages. */
    static String homeless(int blocks, int pages) {
        return pages == 0
                ? "the file slab was missing or empty, and is made anew; the blocks that were in it, " + blocks
                        + ", are dropped"
                : blocks + " blocks lie behind the " + pages
                        + " pages that the file slab has, or on others, and are dropped";
    }
}
