package io.tidemark.core.pool;

import io.tidemark.core.medium.Allocation;
import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.medium.CorruptBlockException;
import io.tidemark.core.medium.HurriedWrites;
import io.tidemark.core.medium.Ledger;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.MediumHealth;
import io.tidemark.core.medium.MediumKind;
import io.tidemark.core.medium.RecoveredCopies;
import io.tidemark.core.medium.UnavailableException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * A medium for the tier below: its bytes cannot be addressed in place, and a test can make it full, broken, or hold a
 * write until told. Keeps its bytes in a DRAM medium, or in one that the test gives.
 */
final class FarMedium implements Medium, HurriedWrites {
    private final Medium inner;
    /** Whether what is below outlives the process, and writes down by itself what ends. */
    private final boolean outlives;

    final AtomicInteger reads = new AtomicInteger();
    final AtomicInteger writes = new AtomicInteger();
    private final AtomicLong ends = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    /** How often somebody waited for ends. */
    final AtomicInteger awaited = new AtomicInteger();

    /** What says while which writes here are to hurry. */
    volatile BooleanSupplier hurried = () -> false;

    volatile boolean healthy = true;
    volatile boolean full = false;
    final AtomicInteger failWrites = new AtomicInteger();
    volatile boolean failReads = false;
    volatile boolean failEnds = false;
    volatile boolean refuseReads = false;
    /** What is read does not verify. */
    volatile boolean damaged = false;
    /** As on a file system that is mounted read-only: nothing is stored, and no end is ever written. */
    volatile boolean readOnly = false;
    /** Runs before each read. */
    volatile Runnable beforeRead = () -> {};
    /** Runs before each write. */
    volatile Runnable beforeWrite = () -> {};

    /** Runs when its ends are begun to be written, for somebody who waits for another device first. */
    volatile Runnable whenBegun = () -> {};

    /** Runs before each wait for ends. */
    volatile Runnable beforeAwait = () -> {};

    /** Runs before the end. */
    volatile Runnable beforeClose = () -> {};

    private record Found(long copy, RecordKey record, long generation, long bytes) {}

    private final List<Found> found = new ArrayList<>();

    FarMedium(String name, int pages) {
        this(PoolHarness.dram(name, pages));
    }

    /** Over a medium with an order. */
    FarMedium(Medium inner) {
        this.inner = inner;
        outlives = inner.kind() == MediumKind.SSD;
    }

    /** As if an earlier process had stored this. */
    void holds(BlockKey key, long generation, byte[] bytes) throws IOException {
        long copy = ((Allocation.Allocated) inner.allocate(bytes.length)).copy();
        RecordKey record = new RecordKey(key, OptionalLong.empty());
        inner.write(copy, 0, MemorySegment.ofArray(bytes));
        inner.commit(copy, record.bytes(), generation);
        found.add(new Found(copy, record, generation, bytes.length));
    }

    @Override
    public void recovered(RecoveredCopies visitor) {
        if (outlives) {
            inner.recovered(visitor);
            return;
        }
        found.forEach(each -> visitor.copy(each.copy(), each.record().bytes(), each.generation(), each.bytes()));
        visitor.end();
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public MediumKind kind() {
        return MediumKind.SSD;
    }

    @Override
    public long pageBytes() {
        return inner.pageBytes();
    }

    @Override
    public long maxBlockBytes() {
        return inner.maxBlockBytes();
    }

    @Override
    public void hurryWhile(BooleanSupplier wanted) {
        hurried = wanted;
    }

    @Override
    public Ledger ledger() {
        return inner.ledger();
    }

    @Override
    public CopyTable copies() {
        return inner.copies();
    }

    @Override
    public Allocation allocate(long bytes) {
        return refused().orElseGet(() -> inner.allocate(bytes));
    }

    @Override
    public Allocation allocate(long bytes, int keyBytes) {
        return refused().orElseGet(() -> inner.allocate(bytes, keyBytes));
    }

    private Optional<Allocation> refused() {
        if (!healthy || readOnly) {
            return Optional.of(new Allocation.Unavailable("the test broke it"));
        }
        return full ? Optional.of(new Allocation.NoSpace()) : Optional.empty();
    }

    @Override
    public boolean abort(long copy) {
        return inner.abort(copy);
    }

    @Override
    public void seal(long copy, byte[] key, long generation) throws IOException {
        inner.seal(copy, key, generation);
    }

    @Override
    public void recordAs(long copy, byte[] key, long generation) {
        inner.recordAs(copy, key, generation);
    }

    @Override
    public boolean mayHold(long copy, List<MemorySegment> bytes) {
        return inner.mayHold(copy, bytes);
    }

    @Override
    public long readUnitBytes() {
        return inner.readUnitBytes();
    }

    @Override
    public boolean commit(long copy, byte[] key, long generation) throws IOException {
        return inner.commit(copy, key, generation);
    }

    @Override
    public void read(long copy, long offset, MemorySegment target) throws IOException {
        beforeRead.run();
        reads.incrementAndGet();
        if (refuseReads) {
            throw new UnavailableException("the test refuses the read");
        }
        if (damaged) {
            throw new CorruptBlockException("the test damaged the bytes");
        }
        if (failReads) {
            throw new IOException("the test broke the read");
        }
        inner.read(copy, offset, target);
    }

    @Override
    public void write(long copy, long offset, MemorySegment source) throws IOException {
        beforeWrite.run();
        writes.incrementAndGet();
        if (failWrites.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IOException("the test broke the write");
        }
        inner.write(copy, offset, source);
    }

    @Override
    public long noteEnd(long copy) {
        if (readOnly) {
            return Long.MAX_VALUE;
        }
        return outlives ? inner.noteEnd(copy) : ends.incrementAndGet();
    }

    @Override
    public boolean recordsEnds() {
        return !readOnly;
    }

    @Override
    public boolean endsWritten(long mark) {
        return outlives ? inner.endsWritten(mark) : written.get() >= mark;
    }

    @Override
    public void beginEnds(long mark) {
        if (!readOnly) {
            inner.beginEnds(mark);
            written.accumulateAndGet(mark, Math::max);
        }
        whenBegun.run();
    }

    @Override
    public void awaitEnds(long mark, long withinMillis) throws IOException {
        beforeAwait.run();
        if (failEnds || readOnly) {
            throw new IOException("the test broke the end");
        }
        awaited.incrementAndGet();
        inner.awaitEnds(mark, withinMillis);
        written.accumulateAndGet(mark, Math::max);
    }

    @Override
    public MediumHealth health() {
        return healthy ? MediumHealth.HEALTHY : MediumHealth.unhealthy("the test broke it");
    }

    @Override
    public Freed free(Long copy) {
        return inner.free(copy);
    }

    @Override
    public void close() {
        beforeClose.run();
        inner.close();
    }
}
