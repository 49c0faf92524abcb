package io.tidemark.core.medium;

import io.tidemark.core.medium.DeviceHealth.Way;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Blocks on a local disk: bytes in one preallocated slab, and what is where in a journal with checkpoints, all inside the
 * stated capacity.
 *
 * <p>A block is written to the slab, then recorded in the journal ({@link #seal}), then published ({@link #commit}). Its
 * end is recorded before the pages are written again, by whoever writes them first; evictions by themselves do no I/O.
 * Reads verify every chunk against the checksum of the record.
 *
 * <p>Where space and records stand while a block goes through its life, and whose step it is:
 *
 * <pre>
 *  allocate   {@link SsdSpace}    ledger reserved, pages taken, slot taken           journal: nothing
 *  write      {@link SsdWrites}   the old ends of these pages are flushed first      slab: bytes
 *  seal       {@link SsdWrites}   checksums kept by page                             journal: PUT, flushed
 *  commit     {@link SsdSpace}    state COMMITTED
 *  noteEnd    {@link SsdEnds}     journal: GONE, not flushed; awaitEnds flushes
 *  free       {@link SsdSpace}    slot's generation rises; journal: GONE, unless noted before; pages free, ledger free
 * </pre>
 *
 * <p>{@link WarmStart} finds the blocks of an earlier process, {@link SsdKeeper} is the thread beside all this.
 */
public final class SsdMedium implements Medium, HurriedWrites {
    private static final System.Logger LOG = System.getLogger(SsdMedium.class.getName());

    /** Room for the record of a key this long is taken where nobody says how long it is. */
    private static final int KEY_BYTES_EXPECTED = 64;

    private static final long CLOSE_MILLIS_MAX = 1000;

    private final SsdOptions options;
    private final SsdDirectory directory;
    private final DeviceHealth health;
    private final SsdSpace space;
    private final CopyTable copies;
    private final BlockIo io;
    private final Journal journal;
    private final Checkpointer checkpointer;
    private final CheckpointRuns checkpoints;
    private final SsdKeeper keeper;
    private final SsdWrites writes;
    private final SsdEnds ends;
    private final NameWatch names;

    /** Copies with more than one record; the youngest counts. */
    private final RecordedAgain recordedAgain = new RecordedAgain();

    private final boolean readOnly;
    /** What was found at the start and has not been shown yet. */
    private Optional<RecoveredBlocks> recovered = Optional.empty();

    private volatile boolean closed;
    private final AtomicBoolean filesClosed = new AtomicBoolean();

    private SsdMedium(
            Sys sys,
            SsdOptions options,
            SsdLayout layout,
            SsdDirectory directory,
            DeviceHealth health,
            WarmStart start) {
        this.options = options;
        this.directory = directory;
        this.health = health;
        readOnly = directory.readOnly;
        int generationFloor = start.generationFloor();
        checkpointer = new Checkpointer(directory.checkpoints, directory.journals, generationFloor, recordedAgain);
        checkpoints = new CheckpointRuns(checkpointer, recordedAgain, this::isAlive, health.errors, Waits.SYSTEM);
        keeper = new SsdKeeper(options.name(), checkpoints, this::probe, Waits.SYSTEM);
        journal = new Journal(directory.journals, health, checkpointer::begin, keeper::wake);
        keeper.use(journal);
        names = new NameWatch(options.name(), sys, directory.named(), health, journal::flushed, System::nanoTime);
        ends = new SsdEnds(options.name(), readOnly, journal, keeper, health, names, recordedAgain);
        long recordBytesMax = directory.journals[0].payloadBytesMax() / 2;
        space = new SsdSpace(options, layout, start.plan(), recordBytesMax, ends::last, ends::givenBack);
        copies = space.copies();
        copies.startAtGeneration(generationFloor);
        io = new BlockIo(directory.slab);
        writes = new SsdWrites(options.name(), space, directory.slab, io, journal, keeper, recordedAgain);
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
        DeviceHealth health = new DeviceHealth(options.directory().toString(), System::nanoTime);
        SsdDirectory directory = SsdDirectory.open(sys, options, layout, health, empty);
        Optional<WarmStart> begun = Optional.empty();
        Optional<SsdMedium> made = Optional.empty();
        try {
            WarmStart start = WarmStart.of(options, layout, directory);
            begun = Optional.of(start);
            SsdMedium medium = new SsdMedium(sys, options, layout, directory, health, start);
            made = Optional.of(medium);
            medium.goOn(start);
            return medium;
        } catch (IOException | RuntimeException | Error e) {
            if (made.isPresent()) {
                made.get().close(); // some of its threads may be at work in the files
            } else {
                begun.ifPresent(WarmStart::discard);
                Closing.behind(e, directory::close);
            }
            throw e;
        }
    }

    /** Goes on where an earlier process ended. */
    private void goOn(WarmStart start) throws IOException {
        try {
            recovered = Optional.of(start.restore(space));
        } finally {
            if (recovered.isEmpty()) {
                start.discard();
            }
        }
        if (readOnly) {
            health.serveReadOnly(options.directory() + " is on a read-only file system");
        } else {
            start.startJournal(journal, checkpointer, recordedAgain);
            keeper.start();
            start.beginToGiveBack(() -> closed);
        }
        names.start();
    }

    /** What the directory says of itself. */
    public SsdIdentity identity() {
        return directory.access().identity();
    }

    /** From here on the directory says that it is this owner's; where the file system takes no writes, it does not. */
    public void claim(SsdOwner owner) throws IOException {
        directory.access().claim(owner);
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
    public void hurryWhile(BooleanSupplier wanted) {
        directory.slab.hurryWhile(wanted);
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
        writes.write(copy, offset, source);
    }

    @Override
    public void writeTogether(List<WholeBlock> blocks) throws IOException {
        if (blocks.stream().allMatch(block -> BlockIo.isAligned(block.segments()))) {
            writes.writeTogether(blocks);
        } else {
            Medium.super.writeTogether(blocks);
        }
    }

    @Override
    public void seal(long copy, byte[] key, long generation) throws IOException {
        writes.seal(copy, key, generation);
    }

    @Override
    public void recordAs(long copy, byte[] key, long generation) {
        if (!readOnly) {
            writes.recordAs(copy, key, generation);
        }
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
            return SsdEnds.NEVER_WRITTEN;
        }
        return space.hasRecord(copy) ? ends.note(copy) : NO_END;
    }

    @Override
    public boolean recordsEnds() {
        return !readOnly;
    }

    @Override
    public boolean endsWritten(long mark) {
        return ends.areWritten(mark);
    }

    @Override
    public void beginEnds(long mark) {
        ends.begin(mark);
    }

    @Override
    public void awaitEnds(long mark, long withinMillis) throws IOException {
        ends.await(mark, withinMillis);
    }

    @Override
    public Optional<DeviceNumbers> numbers() {
        return Optional.of(new DeviceNumbers(
                journal.filledBytes(),
                journal.capacityBytes(),
                journal.backlog(),
                checkpoints.numbers(),
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
        int length = copies.lengthHeld(copy);
        Checksums sums = new Checksums(copy, length);
        sums.updateAll(bytes);
        return Arrays.equals(sums.sums(), space.records().sums(space.extents(copy), length));
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
        io.read(copy, extents, length, offset, target, chunk -> space.records().sum(extents, chunk));
    }

    /**
     * Writes what is still to be written and closes the files. Where a call hangs they stay open until it has come back: a
     * descriptor in use must not be handed out again. They are closed then, so that the directory can be opened again.
     */
    @Override
    public void close() {
        closed = true;
        recovered.ifPresent(blocks -> blocks.log().close());
        recovered = Optional.empty();
        names.close();
        keeper.close();
        ends.close();
        journal.endCheckpoints();
        flushAtTheClose();
        if (!closesFiles(CLOSE_MILLIS_MAX)) {
            closeFilesLater();
        }
    }

    /** Closes the files, once, where no call is at work in them any more; false: one still is after that time. */
    private boolean closesFiles(long withinMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMillis);
        boolean idle = health.close(withinMillis)
                && keeper.awaitEnd()
                && names.awaitEnd()
                && ends.awaitEnd(TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
        if (idle && filesClosed.compareAndSet(false, true)) {
            try {
                directory.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, name() + ": at the close", e);
            }
            journal.freeBatches();
        }
        return idle;
    }

    private void closeFilesLater() {
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}: a call to the files in {1} has not come back; they are closed once it has",
                name(),
                options.directory());
        directory.access().lock().putOff(() -> closesFiles(0));
        try {
            Thread.ofPlatform().daemon().name("tidemark-late-close-" + name()).start(() -> {
                while (!closesFiles(CLOSE_MILLIS_MAX)) {
                    // it has waited
                }
                LOG.log(System.Logger.Level.INFO, "{0}: closed, the call has come back", name());
            });
        } catch (OutOfMemoryError e) { // of threads; where the heap is used up the process ends
            LOG.log(System.Logger.Level.DEBUG, name() + ": is closed by whoever opens it next", e);
        }
    }

    /** What cannot be written are ends of evicted blocks, which may come back. */
    private void flushAtTheClose() {
        try {
            if (journal.isDirty()) {
                journal.flush(journal.appended(), CLOSE_MILLIS_MAX);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, name() + ": the last records could not be written", e);
        }
    }

    /** Lets a device that is out of use show that it works again; called every second or so. */
    private void probe() throws IOException {
        names.tellIfBlind();
        if (!closed && health.works(Way.WRITE)) {
            if (space.lost().tryAgain(this::writeZeros)) {
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

    private void writeZeros(Extents extents, long offset, long bytes) throws IOException {
        directory.slab.inTurn(() -> io.writeZeros(extents, offset, bytes));
    }

    /** Whether a record of this handle still names a block. */
    private boolean isAlive(long copy) {
        return switch (copies.state(copy)) {
            case RESERVED, COMMITTED, MOVING -> !ends.isNoted(copy);
            case DOOMED, FREED -> false;
        };
    }
}
