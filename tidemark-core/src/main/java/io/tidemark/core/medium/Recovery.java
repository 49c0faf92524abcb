package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Finds out at the start what is in the slab: the newest whole checkpoint, then the journals since, in order.
 *
 * <p>What the files say is believed only as far as it is sure. A block is dropped where a record of its end may have been
 * lost (a damaged frame in the middle of a journal drops all that came before, and so does a journal that is missing or was
 * cut short), where it lies outside the slab, or where a younger block lies.
 */
final class Recovery {
    private static final System.Logger LOG = System.getLogger(Recovery.class.getName());

    private final String name;
    private final FrameFile[] checkpoints;
    private final FrameFile[] journals;
    private final RecordLog log = new RecordLog();
    private final RecordLog.Row row = log.row();
    /** Positions in the log, oldest first, also of records that are void. */
    private long[] positions = new long[1024];

    private int found;
    /** Number of the youngest record of each slot, plus one; 0 for none. */
    private final Ints current = new Ints(PageRunAllocator.PAGES_MAX);

    private int alive;
    private int generationMax;
    private boolean ended;

    Recovery(String name, FrameFile[] checkpoints, FrameFile[] journals) {
        this.name = name;
        this.checkpoints = checkpoints;
        this.journals = journals;
    }

    /**
     * What was found.
     *
     * @param positions of the blocks in the log, oldest first
     * @param base epoch of the checkpoint that this came from, 0 when there was none
     * @param last newest epoch that any file speaks of
     * @param generationFloor above every generation of a handle in use so far
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only carried
    record Found(RecordLog log, long[] positions, long base, long last, int generationFloor) {}

    /** Finds the blocks in the first {@code pages} of the slab. */
    Found run(int pages) throws IOException {
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
        return new Found(log, withoutConflicts(pages), base, last, generationMax + 1);
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
            ended = false;
            checkpoints[file].readFrames(epoch, (payload, afterGap) -> apply(payload));
            if (ended) {
                return epoch;
            }
            LOG.log(System.Logger.Level.INFO, "{0}: checkpoint {1} is not whole", name, epoch);
        }
        forgetAll();
        return 0;
    }

    private void readJournal(long epoch, FrameFile.Header[] headers) throws IOException {
        int file = (int) (epoch % 2);
        if (headers[file].epoch() != epoch) {
            forget("journal " + epoch + " is missing");
            return;
        }
        journals[file].readFrames(epoch, (payload, afterGap) -> {
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
        if (alive > 0) {
            LOG.log(System.Logger.Level.WARNING, "{0}: {1}; {2} blocks from before are dropped", name, why, alive);
        }
        forgetAll();
    }

    private void forgetAll() {
        for (int number = 0; number < found; number++) {
            current.set((int) row.at(positions[number]).handle(), 0);
        }
        found = 0;
        alive = 0;
    }

    private boolean apply(ByteBuffer payload) {
        int start = payload.position();
        long position = log.append(payload);
        int at = start;
        while (at < payload.limit()) {
            switch (payload.get(at)) {
                case RecordType.PUT -> {
                    put(position + at - start, payload.getLong(at + BlockRecord.HANDLE_AT));
                    at += BlockRecord.bytesAt(payload, at);
                }
                case RecordType.GONE -> {
                    gone(payload.getLong(at + 1));
                    at += RecordType.GONE_BYTES;
                }
                default -> {
                    ended = true;
                    return false;
                }
            }
        }
        return true;
    }

    private void put(long position, long handle) {
        if ((int) handle < 0 || (int) handle >= PageRunAllocator.PAGES_MAX) {
            return;
        }
        generationMax = Math.max(generationMax, (int) (handle >>> 32));
        if (found == positions.length) {
            positions = Arrays.copyOf(positions, found * 2);
        }
        positions[found++] = position;
        alive += current.get((int) handle) == 0 ? 1 : 0;
        current.set((int) handle, found);
    }

    private void gone(long handle) {
        int number = current.get((int) handle);
        if (number > 0 && row.at(positions[number - 1]).handle() == handle) {
            current.set((int) handle, 0);
            alive--;
        }
    }

    private long[] withoutConflicts(int pages) {
        long[] kept = new long[alive];
        int first = alive;
        BitSet taken = new BitSet(pages);
        for (int number = found - 1; number >= 0; number--) {
            int slot = (int) row.at(positions[number]).handle();
            if (current.get(slot) == number + 1 && claim(taken, pages)) {
                kept[--first] = positions[number];
            }
        }
        if (first > 0) {
            LOG.log(System.Logger.Level.WARNING, "{0}: {1} blocks lie outside the slab or on others", name, first);
        }
        return Arrays.copyOfRange(kept, first, alive);
    }

    /** Claims the pages of the record in view, all or none. */
    private boolean claim(BitSet taken, int pages) {
        for (int run = 0; run < row.runs(); run++) {
            int from = row.first(run);
            long end = (long) from + row.pages(run);
            if (from < 0 || row.pages(run) <= 0 || end > pages || hasSet(taken, from, (int) end)) {
                for (int before = 0; before < run; before++) {
                    taken.clear(row.first(before), row.first(before) + row.pages(before));
                }
                return false;
            }
            taken.set(from, (int) end);
        }
        return true;
    }

    private static boolean hasSet(BitSet taken, int from, int to) {
        int next = taken.nextSetBit(from);
        return next >= 0 && next < to;
    }
}
