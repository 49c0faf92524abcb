package io.tidemark.core.medium;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;

/** The system calls of this process, through the C library of Linux on 64 bits. */
@SuppressWarnings("restricted") // this is where native memory comes from
public final class NativeSys implements Sys {
    /** The one instance; it has no state of its own. */
    public static final Sys INSTANCE = new NativeSys();

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout STATE_LAYOUT = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    /** Where the error number of this thread's last call lands. */
    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE_LAYOUT));

    private static final MethodHandle MMAP =
            call("mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = call("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle MADVISE =
            call("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle OPENAT = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("openat"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
            Linker.Option.captureCallState("errno"),
            Linker.Option.firstVariadicArg(3));
    private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle PREAD =
            call("pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PWRITE =
            call("pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PWRITEV =
            call("pwritev", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG));
    private static final MethodHandle FALLOCATE =
            call("fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FTRUNCATE =
            call("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle FDATASYNC = call("fdatasync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FLOCK = call("flock", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle UNLINKAT =
            call("unlinkat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle STATX =
            call("statx", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle FSTATVFS = call("fstatvfs", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private NativeSys() {}

    private static MethodHandle call(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), descriptor, Linker.Option.captureCallState("errno"));
    }

    @Override
    public MemorySegment mmap(long bytes, int protection, int flags, int fd, long offset) throws SysException {
        MemorySegment state = STATE.get();
        MemorySegment mapping;
        try {
            mapping = (MemorySegment) MMAP.invokeExact(state, MemorySegment.NULL, bytes, protection, flags, fd, offset);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (mapping.address() == -1) {
            throw failure("mmap", state, bytes + " bytes");
        }
        return mapping.reinterpret(bytes);
    }

    @Override
    public void munmap(MemorySegment mapping) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            result = (int) MUNMAP.invokeExact(state, mapping, mapping.byteSize());
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "munmap", state, mapping);
    }

    @Override
    public void madvise(MemorySegment range, int advice) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            result = (int) MADVISE.invokeExact(state, range, range.byteSize(), advice);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "madvise", state, "advice " + advice + " of " + range);
    }

    @Override
    public int openat(int dirFd, String path, int flags, int mode) throws SysException {
        MemorySegment state = STATE.get();
        int fd;
        try (Arena arena = Arena.ofConfined()) {
            do {
                fd = (int) OPENAT.invokeExact(state, dirFd, arena.allocateFrom(path), flags | O_CLOEXEC, mode);
            } while (fd < 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(fd >= 0, "openat", state, path);
        return fd;
    }

    @Override
    public void close(int fd) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            result = (int) CLOSE.invokeExact(state, fd);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "close", state, fd);
    }

    @Override
    public long pread(int fd, MemorySegment target, long offset) throws SysException {
        MemorySegment state = STATE.get();
        long count;
        try {
            do {
                count = (long) PREAD.invokeExact(state, fd, target, target.byteSize(), offset);
            } while (count < 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(count >= 0, "pread", state, fd + " at " + offset);
        return count;
    }

    @Override
    public long pwrite(int fd, MemorySegment source, long offset) throws SysException {
        MemorySegment state = STATE.get();
        long count;
        try {
            do {
                count = (long) PWRITE.invokeExact(state, fd, source, source.byteSize(), offset);
            } while (count < 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(count >= 0, "pwrite", state, fd + " at " + offset);
        return count;
    }

    @Override
    public long pwritev(int fd, List<MemorySegment> sources, long offset) throws SysException {
        MemorySegment state = STATE.get();
        long count;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pieces = arena.allocate(JAVA_LONG, 2L * sources.size());
            for (int i = 0; i < sources.size(); i++) {
                pieces.setAtIndex(JAVA_LONG, 2L * i, sources.get(i).address());
                pieces.setAtIndex(JAVA_LONG, 2L * i + 1, sources.get(i).byteSize());
            }
            do {
                count = (long) PWRITEV.invokeExact(state, fd, pieces, sources.size(), offset);
            } while (count < 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(count >= 0, "pwritev", state, fd + " at " + offset);
        return count;
    }

    @Override
    public void fallocate(int fd, int mode, long offset, long bytes) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            do {
                result = (int) FALLOCATE.invokeExact(state, fd, mode, offset, bytes);
            } while (result != 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "fallocate", state, bytes + " bytes of " + fd + " at " + offset);
    }

    @Override
    public void ftruncate(int fd, long bytes) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            do {
                result = (int) FTRUNCATE.invokeExact(state, fd, bytes);
            } while (result != 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "ftruncate", state, fd + " to " + bytes);
    }

    @Override
    public void fdatasync(int fd) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            do {
                result = (int) FDATASYNC.invokeExact(state, fd);
            } while (result != 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "fdatasync", state, fd);
    }

    @Override
    public void flock(int fd, int operation) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            do {
                result = (int) FLOCK.invokeExact(state, fd, operation);
            } while (result != 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "flock", state, fd);
    }

    @Override
    public void unlinkat(int dirFd, String path, int flags) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try (Arena arena = Arena.ofConfined()) {
            result = (int) UNLINKAT.invokeExact(state, dirFd, arena.allocateFrom(path), flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "unlinkat", state, path);
    }

    @Override
    public FileFacts statx(int dirFd, String path, int flags) throws SysException {
        MemorySegment state = STATE.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(StructStatx.BYTES, 8);
            int result = (int)
                    STATX.invokeExact(state, dirFd, arena.allocateFrom(path), flags, StructStatx.BASIC_STATS, answer);
            require(result == 0, "statx", state, path);
            return StructStatx.facts(answer);
        } catch (SysException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @Override
    public VolumeFacts fstatvfs(int fd) throws SysException {
        MemorySegment state = STATE.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(StructStatvfs.BYTES, 8);
            int result = (int) FSTATVFS.invokeExact(state, fd, answer);
            require(result == 0, "fstatvfs", state, fd);
            return StructStatvfs.facts(answer);
        } catch (SysException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static boolean isInterrupted(MemorySegment state) {
        return errno(state) == Errno.EINTR;
    }

    private static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    private static void require(boolean success, String call, MemorySegment state, Object on) throws SysException {
        if (!success) {
            throw failure(call, state, on);
        }
    }

    private static SysException failure(String call, MemorySegment state, Object on) {
        return new SysException(call, errno(state), on.toString());
    }

    /** A call through a method handle throws nothing by itself. */
    private static AssertionError unexpected(Throwable e) {
        return new AssertionError("a system call threw", e);
    }
}
