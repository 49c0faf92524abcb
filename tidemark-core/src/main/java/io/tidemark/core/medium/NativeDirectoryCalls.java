package io.tidemark.core.medium;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * {@link DirectoryCalls} on Linux through the foreign-function interface.
 *
 * <p>Names are passed as plain addresses, so that no segment is made per call; the buffer is kept reachable over the
 * call. The error number is captured per thread. No handle is {@code critical}: these calls may block, and a
 * critical call would hold up every safepoint.
 */
public final class NativeDirectoryCalls implements DirectoryCalls {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;

    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
    private static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    private static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
    private static final int O_CLOEXEC = 0x80000;
    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_REMOVEDIR = 0x200;
    private static final int AT_STATX_FORCE_SYNC = 0x2000;
    private static final int STATX_WANTED = 0x7ff;
    private static final int SYS_OPENAT2 = 437;
    /** RESOLVE_NO_XDEV, RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH. */
    private static final long RESOLVE_INSIDE = 0x01 | 0x02 | 0x04 | 0x08;

    private static final long OPEN_HOW_BYTES = 24;
    private static final int EXDEV = 18;
    private static final int ENOSYS = 38;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle OPENAT = handle("openat", 3, INT, INT, LONG, INT);
    private static final MethodHandle SYSCALL = handle("syscall", 1, LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle CLOSE = handle("close", 0, INT, INT);
    private static final MethodHandle GETDENTS = handle("getdents64", 0, LONG, INT, POINTER, LONG);
    private static final MethodHandle STATX = handle("statx", 0, INT, INT, LONG, INT, INT, POINTER);
    private static final MethodHandle UNLINKAT = handle("unlinkat", 0, INT, INT, LONG, INT);
    private static final MethodHandle FSTATVFS = handle("fstatvfs", 0, INT, INT, POINTER);

    /** What one thread needs to make calls: where the error number lands, and the argument of openat2. */
    private record Scratch(MemorySegment capture, MemorySegment how) {
        static Scratch allocate() {
            Arena arena = Arena.ofAuto();
            MemorySegment how = arena.allocate(OPEN_HOW_BYTES, Long.BYTES);
            how.set(LONG, 0, O_DIRECTORY | O_CLOEXEC);
            how.set(LONG, 16, RESOLVE_INSIDE);
            return new Scratch(arena.allocate(CAPTURE), how);
        }

        int error() {
            return -(int) ERRNO.get(capture, 0L);
        }
    }

    private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::allocate);

    /** False once the kernel (or its filter) has refused openat2; then components are opened one by one. */
    private volatile boolean hasOpenat2;

    /** Calls on this kernel, which is asked for openat2 first. */
    public NativeDirectoryCalls() {
        this(true);
    }

    /**
     * Calls on this kernel.
     *
     * @param hasOpenat2 whether openat2 is worth being asked for
     */
    NativeDirectoryCalls(boolean hasOpenat2) {
        this.hasOpenat2 = hasOpenat2;
    }

    @Override
    public int openRoot(MemorySegment path) {
        Scratch mine = scratch.get();
        return open(mine, AT_FDCWD, path, 0, O_DIRECTORY | O_CLOEXEC);
    }

    @Override
    public int openBelow(int directory, MemorySegment path, long offset) {
        Scratch mine = scratch.get();
        if (hasOpenat2) {
            int opened = openat2(mine, directory, path, offset);
            if (opened != -ENOSYS && opened != -Errno.EPERM) {
                return opened;
            }
            hasOpenat2 = false;
        }
        return openByComponents(mine, directory, path, offset);
    }

    private int openat2(Scratch mine, int directory, MemorySegment path, long offset) {
        try {
            long result = (long) SYSCALL.invokeExact(
                    mine.capture,
                    (long) SYS_OPENAT2,
                    (long) directory,
                    path.address() + offset,
                    mine.how.address(),
                    OPEN_HOW_BYTES);
            return result < 0 ? mine.error() : (int) result;
        } catch (Throwable t) {
            throw rethrown(t);
        } finally {
            Reference.reachabilityFence(path);
        }
    }

    /** The walk that openat2 does in the kernel: each component without following, each on the same device. */
    private int openByComponents(Scratch mine, int directory, MemorySegment path, long offset) {
        MemorySegment facts = StatxBuffer.allocate();
        MemorySegment part = Arena.ofAuto().allocate(StatxBuffer.BYTES);
        part.set(ValueLayout.JAVA_BYTE, 0, (byte) '.');
        int failed = stat(directory, part, 0, facts);
        if (failed < 0) {
            return failed;
        }
        long device = StatxBuffer.device(facts);
        int at = directory;
        long from = offset;
        while (true) {
            long end = from;
            while (path.get(ValueLayout.JAVA_BYTE, end) != 0 && path.get(ValueLayout.JAVA_BYTE, end) != '/') {
                end++;
            }
            if (end - from == 2
                    && path.get(ValueLayout.JAVA_BYTE, from) == '.'
                    && path.get(ValueLayout.JAVA_BYTE, from + 1) == '.') {
                return closed(at, directory, -EXDEV);
            }
            MemorySegment.copy(path, from, part, 0, end - from);
            part.set(ValueLayout.JAVA_BYTE, end - from, (byte) 0);
            int next = open(mine, at, part, 0, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            closed(at, directory, 0);
            if (next < 0) {
                return next;
            }
            int checked = sameDevice(next, facts, device);
            if (checked < 0 || path.get(ValueLayout.JAVA_BYTE, end) == 0) {
                return checked < 0 ? checked : next;
            }
            at = next;
            from = end + 1;
        }
    }

    /** Closes what was opened on the way, which the start was not, and answers {@code result}. */
    private int closed(int at, int start, int result) {
        if (at != start) {
            close(at);
        }
        return result;
    }

    /** Closes {@code directory} and answers EXDEV when it lies on another device. */
    private int sameDevice(int directory, MemorySegment facts, long device) {
        MemorySegment self = Arena.ofAuto().allocateFrom(".");
        int result = stat(directory, self, 0, facts);
        if (result >= 0 && StatxBuffer.device(facts) != device) {
            result = -EXDEV;
        }
        if (result < 0) {
            close(directory);
        }
        return result;
    }

    private static int open(Scratch mine, int directory, MemorySegment path, long offset, int flags) {
        try {
            int result = (int) OPENAT.invokeExact(mine.capture, directory, path.address() + offset, flags);
            return result < 0 ? mine.error() : result;
        } catch (Throwable t) {
            throw rethrown(t);
        } finally {
            Reference.reachabilityFence(path);
        }
    }

    @Override
    public int close(int descriptor) {
        Scratch mine = scratch.get();
        try {
            int result = (int) CLOSE.invokeExact(mine.capture, descriptor);
            return result < 0 ? mine.error() : result;
        } catch (Throwable t) {
            throw rethrown(t);
        }
    }

    @Override
    public int readEntries(int directory, MemorySegment buffer) {
        Scratch mine = scratch.get();
        try {
            long result = (long) GETDENTS.invokeExact(mine.capture, directory, buffer, buffer.byteSize());
            return result < 0 ? mine.error() : (int) result;
        } catch (Throwable t) {
            throw rethrown(t);
        }
    }

    @Override
    public int stat(int directory, MemorySegment name, long offset, MemorySegment facts) {
        return statx(directory, name, offset, AT_SYMLINK_NOFOLLOW, facts);
    }

    @Override
    public int statNow(int directory, MemorySegment name, long offset, MemorySegment facts) {
        return statx(directory, name, offset, AT_SYMLINK_NOFOLLOW | AT_STATX_FORCE_SYNC, facts);
    }

    private int statx(int directory, MemorySegment name, long offset, int flags, MemorySegment facts) {
        Scratch mine = scratch.get();
        try {
            int result = (int)
                    STATX.invokeExact(mine.capture, directory, name.address() + offset, flags, STATX_WANTED, facts);
            return result < 0 ? mine.error() : result;
        } catch (Throwable t) {
            throw rethrown(t);
        } finally {
            Reference.reachabilityFence(name);
        }
    }

    @Override
    public int unlink(int directory, MemorySegment name, long offset) {
        return remove(directory, name, offset, 0);
    }

    @Override
    public int removeDirectory(int directory, MemorySegment name, long offset) {
        return remove(directory, name, offset, AT_REMOVEDIR);
    }

    private int remove(int directory, MemorySegment name, long offset, int flags) {
        Scratch mine = scratch.get();
        try {
            int result = (int) UNLINKAT.invokeExact(mine.capture, directory, name.address() + offset, flags);
            return result < 0 ? mine.error() : result;
        } catch (Throwable t) {
            throw rethrown(t);
        } finally {
            Reference.reachabilityFence(name);
        }
    }

    @Override
    public int space(int directory, MemorySegment facts) {
        Scratch mine = scratch.get();
        try {
            int result = (int) FSTATVFS.invokeExact(mine.capture, directory, facts);
            return result < 0 ? mine.error() : result;
        } catch (Throwable t) {
            throw rethrown(t);
        }
    }

    /** A downcall handle; {@code firstVariadic} is the index of the first variadic argument, 0 for none. */
    @SuppressWarnings("restricted")
    private static MethodHandle handle(
            String name, int firstVariadic, MemoryLayout result, MemoryLayout... parameters) {
        MemorySegment symbol = LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("C library has no " + name));
        Linker.Option capture = Linker.Option.captureCallState("errno");
        FunctionDescriptor descriptor = FunctionDescriptor.of(result, parameters);
        return firstVariadic == 0
                ? LINKER.downcallHandle(symbol, descriptor, capture)
                : LINKER.downcallHandle(symbol, descriptor, capture, Linker.Option.firstVariadicArg(firstVariadic));
    }

    /** Handles throw no checked exception; what arrives is an error of the process. */
    private static RuntimeException rethrown(Throwable t) {
        if (t instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (t instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a downcall cannot throw a checked exception", t);
    }
}
