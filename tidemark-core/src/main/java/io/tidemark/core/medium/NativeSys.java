package io.tidemark.core.medium;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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

    /**
     * Three forms for all calls: the linker makes and compiles a class for each form, which takes longer than all that a
     * start does with it. An int in the place of a long is passed the same way, arguments that a function does not have are
     * not looked at; of the answer of a function that returns an int only the lower half counts.
     */
    private static final FunctionDescriptor ON_FILE =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);

    private static final FunctionDescriptor ON_NUMBERS =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor ON_MEMORY =
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final MethodHandle MMAP = call("mmap", ON_MEMORY);
    private static final MethodHandle MUNMAP = call("munmap", ON_MEMORY);
    private static final MethodHandle MADVISE = call("madvise", ON_MEMORY);
    private static final MethodHandle OPENAT = call("openat", ON_FILE);
    private static final MethodHandle CLOSE = call("close", ON_NUMBERS);
    private static final MethodHandle PREAD = call("pread", ON_FILE);
    private static final MethodHandle PWRITE = call("pwrite", ON_FILE);
    private static final MethodHandle PWRITEV = call("pwritev", ON_FILE);
    private static final MethodHandle FALLOCATE = call("fallocate", ON_NUMBERS);
    private static final MethodHandle FTRUNCATE = call("ftruncate", ON_NUMBERS);
    private static final MethodHandle FDATASYNC = call("fdatasync", ON_NUMBERS);
    private static final MethodHandle FSYNC = call("fsync", ON_NUMBERS);
    private static final MethodHandle FLOCK = call("flock", ON_NUMBERS);
    private static final MethodHandle UNLINKAT = call("unlinkat", ON_FILE);
    private static final MethodHandle RENAMEAT = call("renameat", ON_FILE);
    private static final MethodHandle STATX = call("statx", ON_FILE);
    private static final MethodHandle FSTATVFS = call("fstatvfs", ON_FILE);
    private static final MethodHandle UMASK = call("umask", ON_NUMBERS);

    private NativeSys() {}

    private static MethodHandle call(String name, FunctionDescriptor form) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), form, Linker.Option.captureCallState("errno"));
    }

    private static int onFile(
            MethodHandle call, MemorySegment state, int fd, MemorySegment first, long a, long b, MemorySegment second)
            throws Throwable {
        return (int) (long) call.invokeExact(state, (long) fd, first, a, b, second);
    }

    private static int onNumbers(MethodHandle call, MemorySegment state, int fd, long a, long b, long c)
            throws Throwable {
        return (int) (long) call.invokeExact(state, (long) fd, a, b, c);
    }

    @Override
    public MemorySegment mmap(long bytes, int protection, int flags, int fd, long offset) throws SysException {
        MemorySegment state = STATE.get();
        long address;
        try {
            address = (long) MMAP.invokeExact(
                    state, MemorySegment.NULL, bytes, (long) protection, (long) flags, (long) fd, offset);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(address != -1, "mmap", state, bytes + " bytes");
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    @Override
    public void munmap(MemorySegment mapping) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            result = (int) (long) MUNMAP.invokeExact(state, mapping, mapping.byteSize(), 0L, 0L, 0L, 0L);
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
            result = (int) (long) MADVISE.invokeExact(state, range, range.byteSize(), (long) advice, 0L, 0L, 0L);
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
                fd = onFile(
                        OPENAT, state, dirFd, arena.allocateFrom(path), flags | O_CLOEXEC, mode, MemorySegment.NULL);
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
            result = onNumbers(CLOSE, state, fd, 0, 0, 0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "close", state, fd); // it may be another file's by now
    }

    @Override
    public long pread(int fd, MemorySegment target, long offset) throws SysException {
        MemorySegment state = STATE.get();
        long count;
        try {
            do {
                count = (long)
                        PREAD.invokeExact(state, (long) fd, target, target.byteSize(), offset, MemorySegment.NULL);
            } while (count < 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (count < 0) {
            throw failure("pread", state, file(fd) + " at " + offset);
        }
        return count;
    }

    @Override
    public long pwrite(int fd, MemorySegment source, long offset) throws SysException {
        MemorySegment state = STATE.get();
        long count;
        try {
            do {
                count = (long)
                        PWRITE.invokeExact(state, (long) fd, source, source.byteSize(), offset, MemorySegment.NULL);
            } while (count < 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (count < 0) {
            throw failure("pwrite", state, file(fd) + " at " + offset);
        }
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
                count = (long) PWRITEV.invokeExact(
                        state, (long) fd, pieces, (long) sources.size(), offset, MemorySegment.NULL);
            } while (count < 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (count < 0) {
            throw failure("pwritev", state, file(fd) + " at " + offset);
        }
        return count;
    }

    @Override
    public void fallocate(int fd, int mode, long offset, long bytes) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            do {
                result = onNumbers(FALLOCATE, state, fd, mode, offset, bytes);
            } while (result != 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (result != 0) {
            throw failure("fallocate", state, bytes + " bytes of " + file(fd) + " at " + offset);
        }
    }

    @Override
    public void ftruncate(int fd, long bytes) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            do {
                result = onNumbers(FTRUNCATE, state, fd, bytes, 0, 0);
            } while (result != 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (result != 0) {
            throw failure("ftruncate", state, file(fd) + " to " + bytes);
        }
    }

    @Override
    public void fdatasync(int fd) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            do {
                result = onNumbers(FDATASYNC, state, fd, 0, 0, 0);
            } while (result != 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (result != 0) {
            throw failure("fdatasync", state, file(fd));
        }
    }

    @Override
    public void fsync(int fd) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            do {
                result = onNumbers(FSYNC, state, fd, 0, 0, 0);
            } while (result != 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (result != 0) {
            throw failure("fsync", state, file(fd));
        }
    }

    @Override
    public void flock(int fd, int operation) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try {
            do {
                result = onNumbers(FLOCK, state, fd, operation, 0, 0);
            } while (result != 0 && isInterrupted(state));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (result != 0) {
            throw failure("flock", state, file(fd));
        }
    }

    @Override
    public void unlinkat(int dirFd, String path, int flags) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try (Arena arena = Arena.ofConfined()) {
            result = onFile(UNLINKAT, state, dirFd, arena.allocateFrom(path), flags, 0, MemorySegment.NULL);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "unlinkat", state, path);
    }

    @Override
    public void renameat(int dirFd, String path, int newDirFd, String newPath) throws SysException {
        MemorySegment state = STATE.get();
        int result;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocateFrom(path);
            // An address in the place of a long is passed the same way.
            long to = arena.allocateFrom(newPath).address();
            result = onFile(RENAMEAT, state, dirFd, from, newDirFd, to, MemorySegment.NULL);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        require(result == 0, "renameat", state, path);
    }

    @Override
    public FileFacts statx(int dirFd, String path, int flags) throws SysException {
        MemorySegment state = STATE.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(StructStatx.BYTES, 8);
            int result = onFile(STATX, state, dirFd, arena.allocateFrom(path), flags, StructStatx.BASIC_STATS, answer);
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
            int result = onFile(FSTATVFS, state, fd, answer, 0, 0, MemorySegment.NULL);
            if (result != 0) {
                throw failure("fstatvfs", state, file(fd));
            }
            return StructStatvfs.facts(answer);
        } catch (SysException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @Override
    public int umask(int mask) {
        try {
            return onNumbers(UMASK, STATE.get(), mask, 0, 0, 0); // cannot fail
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

    /** What the file of a descriptor is called now, for people; asked only for a call that failed. */
    private static String file(int fd) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(fd)))
                    .toString();
        } catch (IOException | InvalidPathException e) { // of no file, or a name that this locale has no characters for
            return "descriptor " + fd;
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
