package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Finds out at the start what is in the slab: the newest whole checkpoint, then the journals since, in order.
 *
 * <p>What the files say is believed only as far as it is sure. A block is dropped where a record of its end may have been
 * lost (a damaged frame in the middle of a journal, a missing journal drop all that came before), where it lies outside
 * the slab, or where a younger block lies.
 */
final class Recovery {
    private static final System.Logger LOG = System.getLogger(Recovery.class.getName());

    private final String name;
    private final FrameFile[] checkpoints;
    private final FrameFile[] journals;
    private final LinkedHashMap<Long, BlockRecord> blocks = new LinkedHashMap<>();
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
     * @param blocks oldest first
     * @param base epoch of the checkpoint that this came from, 0 when there was none
     * @param last newest epoch that any file speaks of
     * @param generationFloor above every generation of a handle in use so far
     */
    record Found(List<BlockRecord> blocks, long base, long last, int generationFloor) {}

    Found run(int slabPages, int slots) throws IOException {
        FrameFile.Header[] checkpointHeaders = headers(checkpoints);
        FrameFile.Header[] journalHeaders = headers(journals);
        long base = readNewestCheckpoint(checkpointHeaders);
        long last = Math.max(newest(checkpointHeaders), newest(journalHeaders));
        for (long epoch = base > 0 ? base : Math.max(1, last - 1); epoch <= last; epoch++) {
            readJournal(epoch, journalHeaders);
        }
        List<BlockRecord> kept = withoutConflicts(slabPages, slots);
        return new Found(kept, base, last, generationMax + 1);
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
            blocks.clear();
            ended = false;
            checkpoints[file].readFrames(epoch, (payload, afterGap) -> apply(payload));
            if (ended) {
                return epoch;
            }
            LOG.log(System.Logger.Level.INFO, "{0}: checkpoint {1} is not whole", name, epoch);
        }
        blocks.clear();
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
    }

    /** Ends of blocks may have been lost: nothing from before is sure. */
    private void forget(String why) {
        if (!blocks.isEmpty()) {
            int lost = blocks.size();
            LOG.log(System.Logger.Level.WARNING, "{0}: {1}; {2} blocks from before are dropped", name, why, lost);
            blocks.clear();
        }
    }

    private boolean apply(ByteBuffer payload) {
        while (payload.hasRemaining()) {
            switch (payload.get()) {
                case RecordType.PUT -> {
                    BlockRecord block = BlockRecord.decode(payload);
                    generationMax = Math.max(generationMax, (int) (block.handle() >>> 32));
                    blocks.putLast(block.handle(), block);
                }
                case RecordType.GONE -> blocks.remove(payload.getLong());
                default -> {
                    ended = true;
                    return false;
                }
            }
        }
        return true;
    }

    private List<BlockRecord> withoutConflicts(int slabPages, int slots) {
        List<BlockRecord> kept = new ArrayList<>(blocks.size());
        BitSet pages = new BitSet(slabPages);
        BitSet usedSlots = new BitSet();
        for (BlockRecord block : List.copyOf(blocks.values()).reversed()) {
            int slot = (int) block.handle();
            boolean good = slot >= 0 && slot < slots && !usedSlots.get(slot) && claim(block, pages, slabPages);
            if (good) {
                usedSlots.set(slot);
                kept.add(block);
            }
        }
        if (kept.size() < blocks.size()) {
            int dropped = blocks.size() - kept.size();
            LOG.log(System.Logger.Level.WARNING, "{0}: {1} blocks lie outside the slab or on others", name, dropped);
        }
        Collections.reverse(kept);
        return kept;
    }

    /** Claims the pages of a block, all or none. */
    private static boolean claim(BlockRecord block, BitSet pages, int slabPages) {
        int[] runs = block.runs();
        for (int i = 0; i < runs.length; i += 2) {
            long end = (long) runs[i] + runs[i + 1];
            if (runs[i] < 0 || runs[i + 1] <= 0 || end > slabPages || hasSet(pages, runs[i], (int) end)) {
                for (int j = 0; j < i; j += 2) {
                    pages.clear(runs[j], runs[j] + runs[j + 1]);
                }
                return false;
            }
            pages.set(runs[i], (int) end);
        }
        return true;
    }

    private static boolean hasSet(BitSet pages, int from, int to) {
        int next = pages.nextSetBit(from);
        return next >= 0 && next < to;
    }
}
