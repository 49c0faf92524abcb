package io.tidemark.core.pool;

import io.tidemark.core.medium.MappedMedium;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** A running read: holds its copy in place until it ends, once. */
final class ReadPin extends SessionToken implements ReadResult.Pinned {
    final int entry;
    final Backend backend;
    final long copy;
    final Optional<Chains.Link> parent;
    private final Session session;
    private final Reads reads;
    private final long bytes;
    private final boolean mapped;
    /** All bytes were asked for, and are at hand. */
    private boolean whole = false;

    private volatile long progressNanos;
    private volatile List<ByteRange> asked = List.of();
    private volatile long askedBytes;
    private volatile Optional<Staging.Staged> staged = Optional.empty();

    ReadPin(Session session, Reads reads, int entry, Backend backend, long copy, Optional<Chains.Link> parent) {
        this.session = session;
        this.reads = reads;
        this.entry = entry;
        this.backend = backend;
        this.copy = copy;
        this.parent = parent;
        bytes = backend.copies().lengthHeld(copy);
        mapped = backend.medium instanceof MappedMedium;
        askedBytes = bytes;
        progressNanos = reads.now();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /**
     * Says which parts of the value this read is about; called once. Where they cannot be told, or are not parts of the
     * value, the read has ended.
     *
     * @throws IllegalArgumentException for ranges beyond the value
     */
    void ask(Ranges ranges) {
        if (mapped && ranges.isWhole()) {
            whole = true; // nothing to work out: all bytes are at hand
            return;
        }
        boolean legal = false;
        try {
            List<ByteRange> found = ranges.of(bytes);
            legal = found.stream().allMatch(range -> range.within(bytes));
            if (!legal) {
                throw new IllegalArgumentException("ranges " + found + " of a value of " + bytes + " bytes");
            }
            asked = ByteRange.spans(found, 1, bytes);
            askedBytes = ByteRange.totalBytes(found);
        } finally {
            if (!legal) {
                end();
            }
        }
    }

    /** Whether the other pin is of the same copy. */
    boolean isOf(ReadPin other) {
        return copy == other.copy && backend.number == other.backend.number;
    }

    /** Bytes of the ranges that were asked for. */
    long askedBytes() {
        return askedBytes;
    }

    /** The parts of the value that a device has to read for it. */
    List<ByteRange> spans() {
        return ByteRange.spans(asked, backend.medium.readUnitBytes(), bytes);
    }

    /** Whether a device has to be asked: the bytes cannot be read in place, and there are some to read. */
    boolean needsDevice() {
        return !mapped && !asked.isEmpty();
    }

    /** Gives the bytes of a copy that cannot be read in place; false when the read has ended meanwhile. */
    synchronized boolean stage(Staging.Staged bytesInMemory) {
        if (hasEnded()) {
            bytesInMemory.release();
            return false;
        }
        staged = Optional.of(bytesInMemory);
        return true;
    }

    @Override
    public List<MemorySegment> segments() {
        if (bytes == 0) {
            return List.of();
        }
        return whole ? readOnly(((MappedMedium) backend.medium).segments(copy)) : segments(new ByteRange(0, bytes));
    }

    @Override
    public List<MemorySegment> segments(ByteRange range) {
        if (whole) {
            range.spanIn(List.of(new ByteRange(0, bytes)));
        } else {
            range.spanIn(asked);
        }
        List<MemorySegment> found = staged.isPresent()
                ? staged.get().slice(range)
                : range.slice(((MappedMedium) backend.medium).segments(copy));
        return readOnly(found);
    }

    private static List<MemorySegment> readOnly(List<MemorySegment> segments) {
        return segments.size() == 1
                ? List.of(segments.getFirst().asReadOnly())
                : segments.stream().map(MemorySegment::asReadOnly).toList();
    }

    @Override
    public boolean held() {
        return !hasEnded();
    }

    @Override
    public void progressed() {
        progressNanos = reads.now();
    }

    @Override
    public void close() {
        end();
    }

    @Override
    void end() {
        if (endOnce()) {
            try {
                reads.unpin(this);
            } finally {
                try {
                    synchronized (this) {
                        staged.ifPresent(Staging.Staged::release);
                    }
                } finally {
                    session.ended(this);
                }
            }
        }
    }

    @Override
    boolean overdue(long nowNanos) {
        return reads.stalled(progressNanos, nowNanos);
    }

    @Override
    String what() {
        return "read";
    }
}
