package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.medium.StatvfsBuffer;
import io.tidemark.core.medium.StatxBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * The twin of the directory calls: real files, but a pretended volume around them, whose usage falls by what is really
 * unlinked, at once or some time later; any call can be made to fail; and looks may be answered as a client of a network
 * file system does, from what it has kept.
 */
final class TwinCalls implements DirectoryCalls {
    final AtomicLong usedBytes = new AtomicLong();
    final AtomicLong usedInodes = new AtomicLong();
    final AtomicLong directoriesOpened = new AtomicLong();
    /** How late an unlink shows in the usage. */
    volatile long lagNanos;

    /** Decides about each call before it is made. */
    volatile Fault fault = (call, name) -> 0;

    /** What happens around the removal of a folder. */
    volatile FolderRemoval folderRemoval = (path, removal) -> removal.getAsInt();

    /** Whether {@link #stat} answers for a file what it did the first time. */
    volatile boolean keepsStats;

    /** Directories opened and not closed. */
    final AtomicLong open = new AtomicLong();

    private final Map<String, byte[]> kept = new ConcurrentHashMap<>();
    final Map<String, Integer> unlinkErrors = new ConcurrentHashMap<>();
    private final Queue<Late> late = new ConcurrentLinkedQueue<>();
    private final NativeDirectoryCalls real = new NativeDirectoryCalls();
    private final long totalBytes;
    private final long totalInodes;

    /** The calls that can fail. */
    enum Call {
        OPEN_ROOT,
        OPEN,
        READ,
        STAT,
        STAT_NOW,
        UNLINK,
        SPACE
    }

    /** A fault. */
    @FunctionalInterface
    interface Fault {
        /** The error number that a call fails with, 0 for none; {@code name} is empty where there is none. */
        int error(Call call, String name);
    }

    /** A removal of a folder. */
    @FunctionalInterface
    interface FolderRemoval {
        /** Its result; {@code path} is below the root of the cache, {@code removal} does it. */
        int around(String path, IntSupplier removal);
    }

    /** What was unlinked and still shows as used. */
    private record Late(long bytes, long shownNanos) {}

    TwinCalls(long totalBytes, long totalInodes) {
        this.totalBytes = totalBytes;
        this.totalInodes = totalInodes;
    }

    private int opened(int result) {
        open.addAndGet(result < 0 ? 0 : 1);
        return result;
    }

    @Override
    public int openRoot(MemorySegment path) {
        int error = fault.error(Call.OPEN_ROOT, path.getString(0));
        return error != 0 ? -error : opened(real.openRoot(path));
    }

    @Override
    public int openBelow(int directory, MemorySegment path, long offset) {
        directoriesOpened.incrementAndGet();
        int error = fault.error(Call.OPEN, path.getString(offset));
        return error != 0 ? -error : opened(real.openBelow(directory, path, offset));
    }

    @Override
    public int close(int descriptor) {
        open.decrementAndGet();
        return real.close(descriptor);
    }

    @Override
    public int readEntries(int directory, MemorySegment buffer) {
        int error = fault.error(Call.READ, "");
        return error != 0 ? -error : real.readEntries(directory, buffer);
    }

    @Override
    public int stat(int directory, MemorySegment name, long offset, MemorySegment facts) {
        String file = name.getString(offset);
        int error = fault.error(Call.STAT, file);
        if (error != 0) {
            return -error;
        }
        byte[] before = kept.get(file);
        if (before != null) {
            facts.copyFrom(MemorySegment.ofArray(before));
            return 0;
        }
        int result = real.stat(directory, name, offset, facts);
        if (result >= 0 && keepsStats && StatxBuffer.isRegular(facts)) {
            kept.put(file, facts.toArray(ValueLayout.JAVA_BYTE));
        }
        return result;
    }

    @Override
    public int statNow(int directory, MemorySegment name, long offset, MemorySegment facts) {
        int error = fault.error(Call.STAT_NOW, name.getString(offset));
        return error != 0 ? -error : real.statNow(directory, name, offset, facts);
    }

    @Override
    public int unlink(int directory, MemorySegment name, long offset) {
        String file = name.getString(offset);
        int fails = fault.error(Call.UNLINK, file);
        Integer error = fails != 0 ? Integer.valueOf(fails) : unlinkErrors.get(file);
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
        return folderRemoval.around(name.getString(0), () -> real.removeDirectory(directory, name, offset));
    }

    @Override
    public int space(int directory, MemorySegment facts) {
        int error = fault.error(Call.SPACE, "");
        if (error != 0) {
            return -error;
        }
        settle();
        long free = totalBytes - usedBytes.get();
        StatvfsBuffer.fill(facts, totalBytes, free, free, totalInodes, totalInodes - usedInodes.get());
        return 0;
    }
}
