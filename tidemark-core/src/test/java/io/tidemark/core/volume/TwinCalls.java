package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.medium.StatvfsBuffer;
import io.tidemark.core.medium.StatxBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The twin of the directory calls: real files, but a pretended volume around them, whose usage falls by what is really
 * unlinked, at once or some time later; and any unlink can be made to fail.
 */
final class TwinCalls implements DirectoryCalls {
    final AtomicLong usedBytes = new AtomicLong();
    final AtomicLong usedInodes = new AtomicLong();
    final AtomicLong directoriesOpened = new AtomicLong();
    /** How late an unlink shows in the usage. */
    volatile long lagNanos;

    final Map<String, Integer> unlinkErrors = new ConcurrentHashMap<>();
    private final Queue<Late> late = new ConcurrentLinkedQueue<>();
    private final NativeDirectoryCalls real = new NativeDirectoryCalls();
    private final long totalBytes;
    private final long totalInodes;

    /** What was unlinked and still shows as used. */
    private record Late(long bytes, long shownNanos) {}

    TwinCalls(long totalBytes, long totalInodes) {
        this.totalBytes = totalBytes;
        this.totalInodes = totalInodes;
    }

    @Override
    public int openRoot(MemorySegment path) {
        return real.openRoot(path);
    }

    @Override
    public int openBelow(int directory, MemorySegment path, long offset) {
        directoriesOpened.incrementAndGet();
        return real.openBelow(directory, path, offset);
    }

    @Override
    public int close(int descriptor) {
        return real.close(descriptor);
    }

    @Override
    public int readEntries(int directory, MemorySegment buffer) {
        return real.readEntries(directory, buffer);
    }

    @Override
    public int stat(int directory, MemorySegment name, long offset, MemorySegment facts) {
        return real.stat(directory, name, offset, facts);
    }

    @Override
    public int unlink(int directory, MemorySegment name, long offset) {
        Integer error = unlinkErrors.get(name.getString(offset));
        if (error != null) {
            return -error;
        }
        MemorySegment facts = StatxBuffer.allocate();
        boolean seen = real.stat(directory, name, offset, facts) >= 0;
        int result = real.unlink(directory, name, offset);
        if (result >= 0 && seen) {
            late.add(new Late(StatxBuffer.allocatedBytes(facts), System.nanoTime() + lagNanos));
            settle();
        }
        return result;
    }

    private void settle() {
        Late first = late.peek();
        while (first != null && first.shownNanos - System.nanoTime() <= 0) {
            if (late.remove(first)) {
                usedBytes.addAndGet(-first.bytes);
                usedInodes.decrementAndGet();
            }
            first = late.peek();
        }
    }

    @Override
    public int removeDirectory(int directory, MemorySegment name, long offset) {
        return real.removeDirectory(directory, name, offset);
    }

    @Override
    public int space(int directory, MemorySegment facts) {
        settle();
        long free = totalBytes - usedBytes.get();
        StatvfsBuffer.fill(facts, totalBytes, free, free, totalInodes, totalInodes - usedInodes.get());
        return 0;
    }
}
