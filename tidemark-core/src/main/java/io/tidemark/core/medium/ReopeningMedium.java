package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The place of a device that could not be opened when its users started: out of use until a thread of its own has opened it,
 * every few seconds a try. It begins <em>empty</em> then: the ends of blocks that were discarded meanwhile could not be
 * recorded on it, so nothing that lies there is sure to be alive.
 *
 * <p>No copy is ever handed out before the change, so every handle belongs to the medium that is there after it. Its
 * monitor guards the change against the close and is held over neither I/O nor callbacks.
 */
final class ReopeningMedium implements Medium, HurriedWrites {
    private static final System.Logger LOG = System.getLogger(ReopeningMedium.class.getName());

    private final Sys sys;
    private final SsdOptions options;
    private final AbsentMedium absent;
    private final Consumer<SsdMedium> prepare;
    private final long pauseMillis;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Medium now;
    /** Guarded by this. */
    private BooleanSupplier hurried = () -> false;

    /**
     * Starts to try.
     *
     * @param first the try that failed, or is still under way; what it opens is closed
     * @param prepare is given the medium before it is used
     */
    ReopeningMedium(
            Sys sys,
            SsdOptions options,
            String why,
            CompletableFuture<SsdMedium> first,
            Consumer<SsdMedium> prepare,
            long pauseMillis) {
        this.sys = sys;
        this.options = options;
        this.prepare = prepare;
        this.pauseMillis = pauseMillis;
        absent = new AbsentMedium(options, why);
        now = absent;
        Thread.ofPlatform().daemon().name("tidemark-reopen-" + options.name()).start(() -> {
            endOf(first);
            reopen();
        });
    }

    private static void endOf(CompletableFuture<SsdMedium> first) {
        try {
            first.join().close();
        } catch (CompletionException e) {
            LOG.log(System.Logger.Level.DEBUG, "the first try failed, as was told", e);
        }
    }

    private void reopen() {
        try {
            while (now == absent && !closing.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                tryOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tryOnce() {
        try {
            open();
        } catch (IOException | RuntimeException | Error e) { // the next try may go well, so this thread goes on
            String why = "cannot be opened: " + (e.getMessage() == null ? e : e.getMessage());
            if (!why.equals(absent.why())) {
                LOG.log(System.Logger.Level.WARNING, "{0}: {1}", name(), why);
            }
            absent.setWhy(why);
        }
    }

    private void open() throws IOException {
        SsdMedium medium = SsdMedium.openEmpty(sys, options);
        boolean taken = false;
        try {
            prepare.accept(medium);
            taken = take(medium);
        } finally {
            if (!taken) {
                medium.close(); // or its own lock would keep the next try out
            }
        }
        if (taken) {
            LOG.log(System.Logger.Level.WARNING, "{0}: back in use, empty", name());
        }
    }

    private synchronized boolean take(SsdMedium medium) {
        if (closing.getCount() == 0) {
            return false;
        }
        medium.hurryWhile(hurried);
        now = medium;
        return true;
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
        return now.maxBlockBytes();
    }

    /** Of the medium that comes: this one takes no writes. */
    @Override
    public synchronized void hurryWhile(BooleanSupplier wanted) {
        hurried = wanted;
        if (now instanceof HurriedWrites works) {
            works.hurryWhile(wanted);
        }
    }

    @Override
    public Ledger ledger() {
        return now.ledger();
    }

    @Override
    public CopyTable copies() {
        return now.copies();
    }

    @Override
    public MediumHealth health() {
        return now.health();
    }

    @Override
    public Optional<DeviceNumbers> numbers() {
        return now.numbers();
    }

    @Override
    public boolean readable() {
        return now.readable();
    }

    @Override
    public boolean writable() {
        return now.writable();
    }

    @Override
    public Allocation allocate(long bytes) {
        return now.allocate(bytes);
    }

    @Override
    public Allocation allocate(long bytes, int keyBytes) {
        return now.allocate(bytes, keyBytes);
    }

    @Override
    public long[] allocateTogether(List<WholeBlock.Size> blocks) {
        return now.allocateTogether(blocks);
    }

    @Override
    public void writeTogether(List<WholeBlock> blocks) throws IOException {
        now.writeTogether(blocks);
    }

    @Override
    public void write(long copy, long offset, MemorySegment source) throws IOException {
        now.write(copy, offset, source);
    }

    @Override
    public void seal(long copy, byte[] key, long generation) throws IOException {
        now.seal(copy, key, generation);
    }

    @Override
    public void recordAs(long copy, byte[] key, long generation) {
        now.recordAs(copy, key, generation);
    }

    @Override
    public boolean commit(long copy, byte[] key, long generation) throws IOException {
        return now.commit(copy, key, generation);
    }

    @Override
    public boolean abort(long copy) {
        return now.abort(copy);
    }

    @Override
    public long noteEnd(long copy) {
        return now.noteEnd(copy);
    }

    @Override
    public boolean recordsEnds() {
        return now.recordsEnds();
    }

    @Override
    public boolean endsWritten(long mark) {
        return now.endsWritten(mark);
    }

    @Override
    public void beginEnds(long mark) {
        now.beginEnds(mark);
    }

    @Override
    public void awaitEnds(long mark, long withinMillis) throws IOException {
        now.awaitEnds(mark, withinMillis);
    }

    @Override
    public Freed free(Long copy) {
        return now.free(copy);
    }

    @Override
    public boolean mayHold(long copy, List<MemorySegment> bytes) {
        return now.mayHold(copy, bytes);
    }

    @Override
    public void read(long copy, long offset, MemorySegment target) throws IOException {
        now.read(copy, offset, target);
    }

    @Override
    public void close() {
        synchronized (this) {
            closing.countDown();
        }
        now.close();
    }
}
