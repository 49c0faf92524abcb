package io.tidemark.core.medium;

import io.tidemark.core.medium.DeviceHealth.Way;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Blocks on a local disk: bytes in one preallocated slab, and what is where in a journal with checkpoints, all inside the
 * stated capacity.
 *
 * <p>A block is written to the slab, then recorded in the journal ({@link #seal}), then published ({@link #commit}). Its
 * end is recorded before the pages are written again, by whoever writes them first; evictions by themselves do no I/O.
 * Reads verify every chunk against the checksum of the record.
 *
 * <p>Where space and records stand while a block goes through its life:
 *
 * <pre>
 *  allocate   ledger reserved, pages taken, slot taken           journal: nothing
 *  write      the old ends of these pages are flushed first      slab: bytes
 *  seal       checksums kept by page                             journal: PUT, flushed
 *  commit     state COMMITTED
 *  noteEnd    journal: GONE, not flushed; awaitEnds flushes
 *  free       slot's generation rises; journal: GONE, unless noted before; pages free, ledger free
 * </pre>
 */
public final class SsdMedium implements Medium {
    private static final System.Logger LOG = System.getLogger(SsdMedium.class.getName());

    /** Room for the record of a key this long is taken where nobody says how long it is. */
    private static final int KEY_BYTES_EXPECTED = 64;

    /** Mark of ends on a read-only file system. */
    private static final long NEVER_WRITTEN = Long.MAX_VALUE;

    private static final long CLOSE_MILLIS_MAX = 1000;
    /** While more records wait, a device hangs: what can do without a new one does. */
    private static final int BACKLOG_MAX = 65_536;

    private final SsdOptions options;
    private final SsdDirectory directory;
    private final DeviceHealth health;
    private final SsdSpace space;
    private final CopyTable copies;
    private final SsdRecords records;
    private final BlockIo io;
    private final Journal journal;
    private final SsdKeeper keeper;
    private final EndsWriter endsWriter;
    private final NameWatch names;

    /** Copies with more than one record; the youngest counts. */
    private final RecordedAgain recordedAgain = new RecordedAgain();

    /** Copies whose end is noted and which are not given back yet. */
    private final Set<Long> ended = ConcurrentHashMap.newKeySet();

    private final boolean readOnly;
    /** What was found at the start and has not been shown yet. */
    private Optional<RecoveredBlocks> recovered = Optional.empty();

    private volatile boolean closed;

    private SsdMedium(
            Sys sys,
            SsdOptions options,
            SsdLayout layout,
            SlabPlan plan,
            SsdDirectory directory,
            DeviceHealth health,
            int generationFloor) {
        this.options = options;
        this.directory = directory;
        this.health = health;
        readOnly = directory.readOnly;
        space = new SsdSpace(
                options, layout, plan, directory.journals[0].payloadBytesMax() / 2, this::lastGone, this::forget);
        copies = space.copies();
        records = space.records();
        copies.startAtGeneration(generationFloor);
        io = new BlockIo(directory.slab);
        Checkpointer checkpointer =
                new Checkpointer(directory.checkpoints, directory.journals, generationFloor, recordedAgain);
        keeper = new SsdKeeper(options.name(), checkpointer, recordedAgain, this::isAlive, this::probe, health.errors);
        journal = new Journal(directory.journals, health, keeper::wake);
        keeper.use(journal);
        endsWriter = new EndsWriter(options.name(), journal);
        names = new NameWatch(options.name(), sys, directory.named(), health, System::nanoTime);
    }

    /**
     * Opens the directory and finds what an earlier process left.
     *
     * @throws IOException when the directory is in use, cannot be used, or was written by an unknown version
     */
    public static SsdMedium open(Sys sys, SsdOptions options) throws IOException {
        return open(sys, options, options.layout());
    }

    /** As {@link #open(Sys, SsdOptions)}, with the capacity divided otherwise. */
    static SsdMedium open(Sys sys, SsdOptions options, SsdLayout layout) throws IOException {
        return open(sys, options, layout, false);
    }

    /** As {@link #open(Sys, SsdOptions)}, without the blocks that are there: not one of their records is read. */
    static SsdMedium openEmpty(Sys sys, SsdOptions options) throws IOException {
        SsdMedium medium = open(sys, options, options.layout(), true);
        medium.recovered((copy, key, generation, length) -> {
            throw new IllegalStateException(options.name() + " is not empty");
        });
        return medium;
    }

    private static SsdMedium open(Sys sys, SsdOptions options, SsdLayout layout, boolean empty) throws IOException {
        DeviceHealth health = new DeviceHealth(System::nanoTime);
        SsdDirectory directory = SsdDirectory.open(sys, options, layout, health, empty);
        Optional<Recovery> begun = Optional.empty();
        boolean complete = false;
        try {
            int pages = (int) (directory.slab.lengthBytes() / options.pageBytes());
            Recovery recovery = new Recovery(options.name(), directory.checkpoints, directory.journals, pages);
            begun = Optional.of(recovery);
            Recovery.Found found = recovery.run();
            SlabPlan plan = directory.plan(options, layout, found);
            SsdMedium medium = new SsdMedium(sys, options, layout, plan, directory, health, found.generationFloor());
            medium.space.restore(found.log(), plan);
            medium.recovered = Optional.of(new RecoveredBlocks(found.log(), plan));
            if (directory.readOnly) {
                health.serveReadOnly(options.directory() + " is on a read-only file system");
            } else {
                medium.startJournal(found, plan);
            }
            medium.names.start();
            complete = true;
            return medium;
        } finally {
            if (!complete) {
                begun.ifPresent(Recovery::discard);
                directory.close();
            }
        }
    }

    /** What the directory says of itself. */
    public SsdIdentity identity() {
        return directory.identity();
    }

    /** From here on the directory says that it is this owner's; where the file system takes no writes, it does not. */
    public void claim(SsdOwner owner) throws IOException {
        directory.claim(owner, options.directory());
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public MediumKind kind() {
        return MediumKind.SSD;
    }

    @Override
    public long pageBytes() {
        return options.pageBytes();
    }

    @Override
    public long readUnitBytes() {
        return Checksums.CHUNK_BYTES;
    }

    @Override
    public long maxBlockBytes() {
        return Math.min(options.maxBlockBytes(), ledger().capacityBytes());
    }

    @Override
    public Ledger ledger() {
        return space.ledger();
    }

    @Override
    public CopyTable copies() {
        return copies;
    }

    @Override
    public MediumHealth health() {
        return closed ? MediumHealth.unhealthy(name() + " is closed") : health.health();
    }

    @Override
    public boolean readable() {
        return !closed && health.works(Way.READ);
    }

    @Override
    public boolean writable() {
        return !closed && health.works(Way.WRITE);
    }

    @Override
    public void recovered(RecoveredCopies visitor) {
        Optional<RecoveredBlocks> found = recovered;
        recovered = Optional.empty();
        found.ifPresent(blocks -> blocks.show(visitor));
    }

    @Override
    public Allocation allocate(long bytes) {
        return allocate(bytes, KEY_BYTES_EXPECTED);
    }

    @Override
    public Allocation allocate(long bytes, int keyBytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name() + ": block of " + bytes + " bytes");
        }
        if (closed || !health.works(Way.READ) || !health.mayTry(Way.WRITE)) {
            return new Allocation.Unavailable(health().why());
        }
        if (bytes > maxBlockBytes()) {
            return new Allocation.TooLarge(maxBlockBytes());
        }
        long copy = space.lost().isFresh() ? CopyTable.NO_COPY : space.take((int) bytes, keyBytes);
        return copy == CopyTable.NO_COPY ? new Allocation.NoSpace() : new Allocation.Allocated(copy);
    }

    @Override
    public long[] allocateTogether(List<WholeBlock.Size> blocks) {
        boolean fits = blocks.stream().allMatch(block -> block.lengthBytes() <= maxBlockBytes());
        // A device that is out of use is tried with one block, not with many.
        boolean works = !closed && !space.lost().isFresh() && health.works(Way.READ) && health.works(Way.WRITE);
        return fits && works ? space.takeTogether(blocks) : new long[0];
    }

    @Override
    public void write(long copy, long offset, MemorySegment source) throws IOException {
        PendingBlock block = requirePending(copy);
        Objects.checkFromIndexSize(offset, source.byteSize(), block.lengthBytes);
        if (block.sealed) {
            throw new IllegalStateException(name() + ": copy " + copy + " is sealed");
        }
        settleOldEnds(block);
        try {
            io.write(block.extents, block.lengthBytes, offset, source);
        } catch (SysException e) {
            block.unbacked |= Errno.isFull(e.errno());
            throw e;
        }
        block.checksums.update(offset, source);
    }

    @Override
    public void writeTogether(List<WholeBlock> blocks) throws IOException {
        List<BlockIo.Whole> wholes = new ArrayList<>(blocks.size());
        for (WholeBlock block : blocks) {
            if (!BlockIo.isAligned(block.segments())) {
                Medium.super.writeTogether(blocks);
                return;
            }
            PendingBlock reserved = requirePending(block.copy());
            settleOldEnds(reserved);
            wholes.add(new BlockIo.Whole(reserved.extents, block.segments()));
        }
        // Where there is no room these pages come back as free: the first block that is tried alone finds out which
        // have none.
        io.writeTogether(wholes);
        long last = 0;
        for (WholeBlock block : blocks) {
            PendingBlock written = requirePending(block.copy());
            long at = 0;
            for (MemorySegment segment : block.segments()) {
                written.checksums.update(at, segment);
                at += segment.byteSize();
            }
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

    @Override
    public void seal(long copy, byte[] key, long generation) throws IOException {
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
        BlockRecord made = records.of(copy, block, key, generation);
        block.sealed = true;
        return journal.put(made);
    }

    @Override
    public void recordAs(long copy, byte[] key, long generation) {
        if (readOnly || !copies.state(copy).findable() || journal.backlog() > BACKLOG_MAX) {
            return;
        }
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

    @Override
    public boolean commit(long copy, byte[] key, long generation) throws IOException {
        if (copies.state(copy) != CopyState.RESERVED) {
            return false;
        }
        seal(copy, key, generation);
        return space.commit(copy);
    }

    @Override
    public boolean abort(long copy) {
        return space.cancel(copy);
    }

    @Override
    public long noteEnd(long copy) {
        if (readOnly) {
            return NEVER_WRITTEN;
        }
        boolean recorded = copies.state(copy) == CopyState.DOOMED
                || (copies.state(copy) == CopyState.RESERVED
                        && space.pending(copy).filter(block -> block.sealed).isPresent());
        if (!recorded) {
            return NO_END;
        }
        // First in the set: a checkpoint that begins after the record must not take the block for alive.
        if (!ended.add(copy)) {
            return journal.lastGone();
        }
        try {
            long mark = journal.gone(copy);
            keeper.wake();
            return mark;
        } catch (OutOfMemoryError e) {
            // The free tries again. Until a record comes after all these, who waits for this end hears that it is not
            // written.
            ended.remove(copy);
            return journal.appended() + 1;
        }
    }

    @Override
    public boolean recordsEnds() {
        return !readOnly;
    }

    @Override
    public boolean endsWritten(long mark) {
        // Of a file without its name the next start does not see what is written. Where nothing ended, nothing need be.
        return journal.isFlushed(mark) && (mark == NO_END || !health.isNameless());
    }

    @Override
    public void beginEnds(long mark) {
        if (!readOnly && !endsWritten(mark) && health.works(Way.WRITE)) {
            endsWriter.begin(mark);
        }
    }

    @Override
    public void awaitEnds(long mark, long withinMillis) throws IOException {
        if (readOnly) {
            throw new IOException(name() + " is read-only: what is discarded comes back with the next start");
        }
        if (!endsWritten(mark)) {
            if (!health.works(Way.WRITE)) {
                throw new UnavailableException(name() + " is out of use: " + health().why());
            }
            endsWriter.await(mark, withinMillis);
        }
    }

    @Override
    public Optional<DeviceNumbers> numbers() {
        return Optional.of(new DeviceNumbers(
                journal.filledBytes(),
                journal.capacityBytes(),
                journal.backlog(),
                keeper.checkpoints(),
                io.buffers.inUse(),
                io.buffers.count,
                health.errors.byKind(),
                space.lost().bytes()));
    }

    @Override
    public Freed free(Long copy) {
        return space.free(copy);
    }

    @Override
    public boolean mayHold(long copy, List<MemorySegment> bytes) {
        Checksums sums = new Checksums(copy, copies.lengthHeld(copy));
        long at = 0;
        for (MemorySegment piece : bytes) {
            sums.update(at, piece);
            at += piece.byteSize();
        }
        return Arrays.equals(sums.sums(), records.sums(space.extents(copy), copies.lengthHeld(copy)));
    }

    @Override
    public void read(long copy, long offset, MemorySegment target) throws IOException {
        if (copies.state(copy) == CopyState.FREED) {
            throw new IllegalStateException(name() + ": no copy " + copy + "; bytes may only be used while it is held");
        }
        int length = copies.lengthHeld(copy);
        Objects.checkFromIndexSize(offset, target.byteSize(), length);
        if (closed || !health.mayTry(Way.READ)) {
            throw new UnavailableException(name() + " is out of use: " + health().why());
        }
        Extents extents = space.extents(copy);
        io.read(copy, extents, length, offset, target, chunk -> records.sum(extents, chunk));
    }

    /**
     * Writes what is still to be written and closes the files. Where a call hangs they stay open until the process ends: a
     * descriptor in use must not be handed out again.
     */
    @Override
    public void close() {
        closed = true;
        recovered.ifPresent(blocks -> blocks.log().close());
        recovered = Optional.empty();
        names.close();
        keeper.close();
        endsWriter.close();
        journal.endCheckpoints();
        try {
            flushAtTheClose();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS_MAX);
            boolean idle = health.close(CLOSE_MILLIS_MAX) && keeper.hasEnded() && names.awaitEnd();
            if (idle && endsWriter.awaitEnd(TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()))) {
                directory.close();
                journal.freeBatches();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, name() + ": at the close", e);
        }
    }

    /** What cannot be written are ends of evicted blocks, which may come back. */
    private void flushAtTheClose() {
        try {
            if (journal.isDirty()) {
                journal.flush(journal.appended());
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, name() + ": the last records could not be written", e);
        }
    }

    /** Goes on where an earlier process ended, without touching the files that the found blocks came from. */
    private void startJournal(Recovery.Found found, SlabPlan plan) throws IOException {
        boolean asFound = found.whole() && plan.blocks().length == found.positions().length;
        if (asFound && found.base() > 0 && found.base() == found.last() && !directory.isTooLong()) {
            found.again().forEach(copy -> recordedAgain.foundAgain(copy));
            journal.resume(found.last(), found.generationFloor(), found.frames());
        } else {
            beginAnew(found, plan);
        }
        keeper.start();
        if (plan.isScattered()) {
            Thread.ofPlatform().daemon().name("tidemark-give-back-" + name()).start(() -> giveBack(plan));
        }
    }

    /** Writes a checkpoint of exactly the blocks that stay. */
    private void beginAnew(Recovery.Found found, SlabPlan plan) throws IOException {
        if (found.base() < found.last()) {
            keeper.checkpointer().write(found.last(), found.log(), plan.blocks());
        }
        long epoch = found.last() + 1;
        journal.start(epoch, found.generationFloor());
        keeper.checkpointer().write(epoch, found.log(), plan.blocks());
        journal.checkpointed(epoch);
        directory.shrink(epoch);
    }

    /** Gives the file system back what a smaller capacity has no room for. */
    private void giveBack(SlabPlan plan) {
        int[] unused = plan.unused();
        try {
            for (int i = 0; i < unused.length && !closed; i += 2) {
                directory.slab.giveBack(unused[i], unused[i + 1], options.pageBytes());
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, name() + ": keeps more space than its capacity", e);
        }
    }

    /** Lets a device that is out of use show that it works again; called every second or so. */
    private void probe() throws IOException {
        names.tellIfBlind();
        if (!closed && health.works(Way.WRITE)) {
            if (space.lost().tryAgain(io::writeZeros)) {
                keeper.wake();
            }
        }
        if (closed || health.health().healthy()) {
            return;
        }
        if (health.mayTry(Way.READ)) {
            directory.slab.probe();
        }
        if (allocate(1) instanceof Allocation.Allocated(long copy)) {
            try {
                write(copy, 0, MemorySegment.ofArray(new byte[1]));
            } finally {
                abort(copy);
            }
        }
    }

    /** Whether a record of this handle still names a block. */
    private boolean isAlive(long copy) {
        return switch (copies.state(copy)) {
            case RESERVED, COMMITTED, MOVING -> !ended.contains(copy);
            case DOOMED, FREED -> false;
        };
    }

    private long lastGone() {
        return journal.lastGone();
    }

    /** Records the end of a block, in memory; it is on disk before its pages are written again. */
    private void forget(long copy) {
        recordedAgain.forget(copy);
        if (!readOnly && !ended.remove(copy)) {
            journal.gone(copy);
            keeper.wake();
        }
    }

    private PendingBlock requirePending(long copy) {
        return space.pending(copy)
                .orElseThrow(() -> new IllegalStateException(name() + ": copy " + copy + " is not reserved"));
    }
}
