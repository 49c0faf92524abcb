package io.tidemark.core.medium;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * How a medium goes on where an earlier process ended: what it left in the directory is read and planned for here, its blocks
 * go back to their places, and the journal continues, without a byte written where everything fits as it was found.
 *
 * <p>Of the thread that opens the medium; the thread that gives space back touches the slab alone.
 */
final class WarmStart {
    private static final System.Logger LOG = System.getLogger(WarmStart.class.getName());

    private final SsdOptions options;
    private final SsdDirectory directory;
    private final Recovery.Found found;
    private final SlabPlan plan;

    private WarmStart(SsdOptions options, SsdDirectory directory, Recovery.Found found, SlabPlan plan) {
        this.options = options;
        this.directory = directory;
        this.found = found;
        this.plan = plan;
    }

    /** Reads what an earlier process left in an open directory, and plans what of it stays. */
    static WarmStart of(SsdOptions options, SsdLayout layout, SsdDirectory directory) throws IOException {
        int pages = (int) (directory.slab.lengthBytes() / options.pageBytes());
        String name = options.name() + " in " + options.directory();
        Recovery recovery = new Recovery(name, directory.checkpoints, directory.journals, pages);
        boolean complete = false;
        try {
            Recovery.Found found = recovery.run();
            WarmStart start = new WarmStart(options, directory, found, directory.plan(options, layout, found));
            complete = true;
            return start;
        } finally {
            if (!complete) {
                recovery.discard();
            }
        }
    }

    /** What of the slab is used from the start on. */
    SlabPlan plan() {
        return plan;
    }

    /** New copies begin with this generation. */
    int generationFloor() {
        return found.generationFloor();
    }

    /** Puts the blocks that stay in their places; the answer shows them, and has to be shown or discarded. */
    RecoveredBlocks restore(SsdSpace space) throws IOException {
        space.restore(found.log(), plan);
        return new RecoveredBlocks(found.log(), plan);
    }

    /** Gives the memory of the records back, where nothing comes of them. */
    void discard() {
        found.log().close();
    }

    /** Lets the journal go on, without touching the files that the found blocks came from. */
    void startJournal(Journal journal, Checkpointer checkpointer, RecordedAgain recordedAgain) throws IOException {
        boolean asFound = found.whole() && plan.blocks().length == found.positions().length;
        if (asFound && found.base() > 0 && found.base() == found.last() && !directory.isTooLong()) {
            found.again().forEach(copy -> recordedAgain.foundAgain(copy));
            journal.resume(found.last(), found.generationFloor(), found.frames());
        } else {
            beginAnew(journal, checkpointer);
        }
    }

    /** Writes a checkpoint of exactly the blocks that stay. */
    private void beginAnew(Journal journal, Checkpointer checkpointer) throws IOException {
        if (found.base() < found.last()) {
            checkpointer.write(found.last(), found.log(), plan.blocks());
        }
        long epoch = found.last() + 1;
        journal.start(epoch, found.generationFloor());
        checkpointer.write(epoch, found.log(), plan.blocks());
        journal.checkpointed(epoch);
        directory.shrink(epoch);
    }

    /** Begins to give the file system back what a smaller capacity has no room for; goes on until the medium is closed. */
    void beginToGiveBack(BooleanSupplier closed) {
        if (plan.isScattered()) {
            String name = "tidemark-give-back-" + options.name();
            Thread.ofPlatform().daemon().name(name).start(() -> giveBack(closed));
        }
    }

    private void giveBack(BooleanSupplier closed) {
        int[] unused = plan.unused();
        try {
            for (int i = 0; i < unused.length && !closed.getAsBoolean(); i += 2) {
                directory.slab.giveBack(unused[i], unused[i + 1], options.pageBytes());
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, options.name() + ": keeps more space than its capacity", e);
        }
    }
}
