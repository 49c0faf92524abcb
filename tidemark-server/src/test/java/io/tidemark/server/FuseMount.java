package io.tidemark.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;

/**
 * A file system whose calls hang, fail or take long when a test says so: the kernel's side is FUSE, this is the server that
 * it asks. What is stored in it lies in a folder of its own ({@link FuseFiles}). Each call has a thread, so that one that
 * hangs holds up no other.
 */
final class FuseMount implements AutoCloseable {
    private static final String DEVICE = "/dev/fuse";
    private static final long MS_NOSUID_NODEV = 2 | 4;
    private static final int MNT_DETACH = 2;
    private static final int REQUEST_BYTES = (128 << 10) + 4096;
    private static final int O_NONBLOCK = 0x800;
    private static final int POLLIN = 1;
    private static final int POLL_MILLIS = 50;
    private static final int EINTR = 4;
    private static final int ENODEV = 19;

    private static final MethodHandle MOUNT =
            call("mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle UMOUNT2 = call("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle POLL =
            call("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    /** What happens to a call. */
    sealed interface Fault {}

    /** It is made as it is. */
    record None() implements Fault {}

    /** It is not answered before the latch is down. */
    record Hang(CountDownLatch until) implements Fault {}

    /** It is answered so much later. */
    record Slow(long millis) implements Fault {}

    /** It fails. */
    record Fail(int errno) implements Fault {}

    private record Rule(Predicate<FuseFiles.Op> when, Fault fault) {}

    private final Path at;
    private final int fd;
    private final FuseFiles files;
    private volatile Rule rule = new Rule(op -> false, new None());
    /** Calls that hang, by their number. */
    private final Set<Long> hanging = ConcurrentHashMap.newKeySet();

    private final Thread server = Thread.ofPlatform().daemon().name("fuse").unstarted(this::serve);
    private volatile boolean closing;

    private FuseMount(Path at, int fd, FuseFiles files) {
        this.at = at;
        this.fd = fd;
        this.files = files;
    }

    @SuppressWarnings("restricted") // the C library's mount and umount2
    private static MethodHandle call(String name, FunctionDescriptor form) {
        return Linker.nativeLinker()
                .downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow(name), form);
    }

    /** Makes one, or skips the test where that is not possible: it takes root and {@value #DEVICE}. */
    static FuseMount orSkip(Path folder) throws IOException {
        Assumptions.assumeTrue(
                Files.isWritable(Path.of(DEVICE)), "no file system of our own here: it takes root and " + DEVICE);
        Path at = Files.createDirectory(folder.resolve("fuse"));
        FuseFiles files = new FuseFiles(Files.createDirectory(folder.resolve("behind-fuse")));
        int fd = NativeSys.INSTANCE.openat(Sys.AT_FDCWD, DEVICE, Sys.O_RDWR | Sys.O_CLOEXEC | O_NONBLOCK, 0);
        String options = "fd=" + fd + ",rootmode=40000,user_id=0,group_id=0,allow_other";
        boolean mounted = false;
        try (Arena arena = Arena.ofConfined()) {
            mounted = (int) MOUNT.invokeExact(
                            arena.allocateFrom("tidemark-test"),
                            arena.allocateFrom(at.toString()),
                            arena.allocateFrom("fuse"),
                            MS_NOSUID_NODEV,
                            arena.allocateFrom(options))
                    == 0;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            if (!mounted) {
                NativeSys.INSTANCE.close(fd);
            }
        }
        Assumptions.assumeTrue(mounted, "no file system of our own here: the kernel refuses to mount " + DEVICE);
        FuseMount mount = new FuseMount(at, fd, files);
        mount.server.start();
        return mount;
    }

    /** Where it is mounted. */
    Path root() {
        return at;
    }

    /** From here on this happens to each call of which that holds. */
    void inject(Predicate<FuseFiles.Op> when, Fault fault) {
        rule = new Rule(when, fault);
    }

    void heal() {
        rule = new Rule(op -> false, new None());
    }

    /** Calls that hang now. */
    int hanging() {
        return hanging.size();
    }

    private void serve() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(REQUEST_BYTES, 8);
            MemorySegment poll = arena.allocate(8, 4);
            poll.set(JAVA_INT, 0, fd);
            poll.set(JAVA_INT, 4, POLLIN);
            while (!closing) {
                int _ = (int) POLL.invokeExact(poll, 1L, POLL_MILLIS);
                take(request);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private void take(MemorySegment request) throws SysException {
        long bytes;
        try {
            bytes = NativeSys.INSTANCE.pread(fd, request, 0);
        } catch (SysException e) {
            closing |= e.errno() == ENODEV; // unmounted
            return; // nothing is there, or it was taken back
        }
        ByteBuffer copy = ByteBuffer.allocate((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
        MemorySegment.copy(request, 0, MemorySegment.ofBuffer(copy), 0, bytes);
        FuseFiles.Op op = FuseFiles.Op.of(copy.getInt(4));
        Thread.ofPlatform().daemon().name("fuse-" + op).start(() -> answer(op, copy));
    }

    private void answer(FuseFiles.Op op, ByteBuffer request) {
        long unique = request.getLong(8);
        int errno = suffer(op, unique);
        FuseFiles.Answer answer = errno == 0 ? files.answer(op, request) : FuseFiles.Answer.failed(errno);
        if (!op.isAnswered()) {
            return;
        }
        ByteBuffer out =
                ByteBuffer.allocateDirect(16 + answer.bytes().remaining()).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(out.capacity()).putInt(-answer.errno()).putLong(unique);
        out.put(answer.bytes().duplicate()).flip();
        try {
            NativeSys.INSTANCE.pwrite(fd, MemorySegment.ofBuffer(out), 0);
        } catch (IOException e) {
            // Nobody waits for it any more.
            hanging.remove(unique);
        }
    }

    /** What the test wants to happen first; the error number to answer, or 0. */
    private int suffer(FuseFiles.Op op, long unique) {
        Rule now = rule;
        if (!now.when().test(op)) {
            return 0;
        }
        return switch (now.fault()) {
            case None() -> 0;
            case Fail(int errno) -> errno;
            case Slow(long millis) -> awaits(new CountDownLatch(1), unique, millis);
            case Hang(CountDownLatch until) -> awaits(until, unique, Long.MAX_VALUE);
        };
    }

    private int awaits(CountDownLatch until, long unique, long millis) {
        long end = millis == Long.MAX_VALUE ? Long.MAX_VALUE : System.nanoTime() + millis * 1_000_000;
        hanging.add(unique);
        try {
            while ((end == Long.MAX_VALUE || System.nanoTime() - end < 0)
                    && !until.await(Math.min(millis, 10), TimeUnit.MILLISECONDS)) {
                // A signal to the one who made the call changes nothing, as with a disk that is gone.
            }
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return EINTR;
        } finally {
            hanging.remove(unique);
        }
    }

    /** Takes it away, also under who still uses it; calls that hang fail. */
    @Override
    public void close() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int result = (int) UMOUNT2.invokeExact(arena.allocateFrom(at.toString()), MNT_DETACH);
            if (result != 0) {
                throw new IOException("cannot unmount " + at);
            }
            closing = true;
            server.join();
        } catch (RuntimeException | IOException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            NativeSys.INSTANCE.close(fd);
        }
    }
}
