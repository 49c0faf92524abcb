package io.tidemark.core.pool;

import io.tidemark.core.medium.MappedMedium;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A running read: holds its copy in place until it ends, once. */
final class ReadPin extends SessionToken implements ReadResult.Pinned {
    final int entry;
    final Backend backend;
    final long copy;
    final Optional<Chains.Link> parent;
    private final Session session;
    private final Reads reads;
    private final long bytes;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile long progressNanos;
    private volatile Optional<Staging.Staged> staged = Optional.empty();

    ReadPin(Session session, Reads reads, int entry, Backend backend, long copy, Optional<Chains.Link> parent) {
        this.session = session;
        this.reads = reads;
        this.entry = entry;
        this.backend = backend;
        this.copy = copy;
        this.parent = parent;
        bytes = backend.copies().lengthBytes(copy);
        progressNanos = reads.now();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Whether the bytes can be read in place. */
    boolean mapped() {
        return backend.medium instanceof MappedMedium;
    }

    /** Gives the bytes of a copy that cannot be read in place; false when the read has ended meanwhile. */
    synchronized boolean stage(Staging.Staged bytesInMemory) {
        if (ended.get()) {
            bytesInMemory.release();
            return false;
        }
        staged = Optional.of(bytesInMemory);
        return true;
    }

    @Override
    public List<MemorySegment> segments() {
        if (staged.isPresent()) {
            return bytes == 0 ? List.of() : List.of(staged.get().segment().asReadOnly());
        }
        return ((MappedMedium) backend.medium)
                .segments(copy).stream().map(MemorySegment::asReadOnly).toList();
    }

    @Override
    public boolean held() {
        return !ended.get();
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
        if (ended.compareAndSet(false, true)) {
            try {
                reads.unpin(this);
                synchronized (this) {
                    staged.ifPresent(Staging.Staged::release);
                }
            } finally {
                session.ended(this);
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
