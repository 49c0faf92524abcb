package io.tidemark.core.medium;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;

/**
 * System calls that go wrong on demand: passes calls on to the real ones, counts them, and lets tests make any of them
 * fail, fall short, do nothing, hang, or be the last thing that the process does.
 *
 * <p>After {@link Kill} every call throws {@link Killed} and the descriptors are closed, as at a kill -9: a test then
 * opens the same directory anew.
 */
public final class FaultySys implements Sys {
    private final Sys real;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final ConcurrentHashMap<String, AtomicLong> counts = new ConcurrentHashMap<>();
    /** Paths of the open descriptors. */
    private final Map<Integer, String> open = new ConcurrentHashMap<>();

    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock();
    private volatile boolean killed;
    private Runnable onKill = () -> {};

    public FaultySys(Sys real) {
        this.real = real;
    }

    /**
     * A call about to be made.
     *
     * @param name the kernel's name
     * @param on path, also of a descriptor that was opened here
     * @param number how many calls of this name were made before
     */
    public record Call(String name, String on, long offset, long bytes, long number) {
        /** Whether it is the given call. */
        public boolean is(String callName) {
            return name.equals(callName);
        }

        /** Whether it is the given call on a file whose name begins so. */
        public boolean is(String callName, String file) {
            return is(callName) && on.substring(on.lastIndexOf('/') + 1).startsWith(file);
        }
    }

    /** What happens instead of, or before, a call. */
    public sealed interface Effect {}

    /** The call is made as it is. */
    public record Pass() implements Effect {}

    /** The call fails with this error. */
    public record Fail(int errno) implements Effect {}

    /** A read or write moves at most this many bytes. */
    public record Partial(long bytes) implements Effect {}

    /** The call says that it was done, and does nothing. */
    public record Skip() implements Effect {}

    /** The call waits for the latch, then is made. */
    public record Hang(CountDownLatch until) implements Effect {}

    /** The call is made once the device has served it. */
    public record Slow(SlowDevice device) implements Effect {}

    /** A write moves this many bytes and then the process dies; any other call is not made. */
    public record Kill(long bytes) implements Effect {}

    /** The process is dead. */
    public static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Killed(String call) {
            super("killed at " + call);
        }
    }

    private record Rule(Predicate<Call> when, Effect effect, AtomicLong times) {}

    /** Lets the effect happen at every call that the test accepts. */
    public void inject(Predicate<Call> when, Effect effect) {
        inject(when, effect, Long.MAX_VALUE);
    }

    /** Lets the effect happen at the first {@code times} calls that the test accepts. */
    public void inject(Predicate<Call> when, Effect effect, long times) {
        rules.add(new Rule(when, effect, new AtomicLong(times)));
    }

    /** Is run when the process dies: what waits for it can be woken. The one before has run, or never will. */
    public synchronized void onKill(Runnable action) {
        onKill = action;
    }

    /** Takes all rules away. */
    public void heal() {
        rules.clear();
    }

    /** How many calls of this name were made, or tried. */
    public long count(String name) {
        AtomicLong count = counts.get(name);
        return count == null ? 0 : count.get();
    }

    /** Whether a {@link Kill} has happened. */
    public boolean isKilled() {
        return killed;
    }

    /** Dies now, from outside of any call. Waits for reads and writes that run: their descriptors may be reused. */
    public void kill() {
        synchronized (this) {
            killed = true;
            onKill.run();
        }
        running.writeLock().lock();
        try {
            for (int fd : open.keySet()) {
                real.close(fd);
            }
            open.clear();
        } catch (SysException e) {
            throw new IllegalStateException(e);
        } finally {
            running.writeLock().unlock();
        }
    }

    @Override
    public MemorySegment mmap(long bytes, int protection, int flags, int fd, long offset) throws SysException {
        before("mmap", fd, offset, bytes);
        return real.mmap(bytes, protection, flags, fd, offset);
    }

    @Override
    public void munmap(MemorySegment mapping) throws SysException {
        real.munmap(mapping);
    }

    @Override
    public void madvise(MemorySegment range, int advice) throws SysException {
        if (mayPass("madvise", advice, 0, range.byteSize())) {
            real.madvise(range, advice);
        }
    }

    @Override
    public int openat(int dirFd, String path, int flags, int mode) throws SysException {
        before("openat", path, 0, 0);
        int fd = real.openat(dirFd, path, flags, mode);
        open.put(fd, path);
        return fd;
    }

    @Override
    public void close(int fd) throws SysException {
        String path = open.remove(fd);
        if (path == null) {
            return;
        }
        real.close(fd);
        // As the kernel does: it is closed all the same.
        if (!rules.isEmpty() && effectOn(new Call("close", path, 0, 0, 0)) instanceof Fail(int errno)) {
            throw new SysException("close", errno, path);
        }
    }

    @Override
    public long pread(int fd, MemorySegment target, long offset) throws SysException {
        Effect effect = before("pread", path(fd), offset, target.byteSize());
        if (effect instanceof Skip) {
            return target.byteSize();
        }
        running.readLock().lock();
        try {
            requireAlive("pread");
            return real.pread(fd, effect instanceof Partial(long bytes) ? first(target, bytes) : target, offset);
        } finally {
            running.readLock().unlock();
        }
    }

    @Override
    public long pwrite(int fd, MemorySegment source, long offset) throws SysException {
        Effect effect = before("pwrite", path(fd), offset, source.byteSize());
        long most = most(effect, source.byteSize());
        if (effect instanceof Skip) {
            return source.byteSize();
        }
        long written = most == 0 ? 0 : whileAlive(() -> real.pwrite(fd, first(source, most), offset));
        if (effect instanceof Kill) {
            kill();
            throw new Killed("pwrite");
        }
        return written;
    }

    /** For rules and counts a write as any other. */
    @Override
    public long pwritev(int fd, List<MemorySegment> sources, long offset) throws SysException {
        long bytes = sources.stream().mapToLong(MemorySegment::byteSize).sum();
        Effect effect = before("pwrite", path(fd), offset, bytes);
        long most = most(effect, bytes);
        if (effect instanceof Skip) {
            return bytes;
        }
        long written = 0;
        if (most >= bytes) {
            written = whileAlive(() -> real.pwritev(fd, sources, offset));
        } else {
            for (MemorySegment source : sources) {
                long at = offset + written;
                MemorySegment part = first(source, most - written);
                written += part.byteSize() == 0 ? 0 : whileAlive(() -> real.pwrite(fd, part, at));
            }
        }
        if (effect instanceof Kill) {
            kill();
            throw new Killed("pwrite");
        }
        return written;
    }

    private static long most(Effect effect, long bytes) {
        return switch (effect) {
            case Partial(long some) -> some;
            case Kill(long some) -> some;
            case Skip _ -> 0;
            case Pass _, Fail _, Hang _, Slow _ -> bytes;
        };
    }

    private interface Write {
        long run() throws SysException;
    }

    private long whileAlive(Write write) throws SysException {
        running.readLock().lock();
        try {
            requireAlive("pwrite");
            return write.run();
        } finally {
            running.readLock().unlock();
        }
    }

    @Override
    public void fallocate(int fd, int mode, long offset, long bytes) throws SysException {
        if (mayPass("fallocate", path(fd), offset, bytes)) {
            real.fallocate(fd, mode, offset, bytes);
        }
    }

    @Override
    public void ftruncate(int fd, long bytes) throws SysException {
        if (mayPass("ftruncate", path(fd), 0, bytes)) {
            real.ftruncate(fd, bytes);
        }
    }

    @Override
    public void fdatasync(int fd) throws SysException {
        if (mayPass("fdatasync", path(fd), 0, 0)) {
            real.fdatasync(fd);
        }
    }

    @Override
    public void fsync(int fd) throws SysException {
        if (mayPass("fsync", path(fd), 0, 0)) {
            real.fsync(fd);
        }
    }

    @Override
    public void flock(int fd, int operation) throws SysException {
        if (mayPass("flock", path(fd), 0, 0)) {
            real.flock(fd, operation);
        }
    }

    @Override
    public void unlinkat(int dirFd, String path, int flags) throws SysException {
        if (mayPass("unlinkat", path, 0, 0)) {
            real.unlinkat(dirFd, path, flags);
        }
    }

    @Override
    public void renameat(int dirFd, String path, int newDirFd, String newPath) throws SysException {
        if (mayPass("renameat", path, 0, 0)) {
            real.renameat(dirFd, path, newDirFd, newPath);
        }
    }

    @Override
    public FileFacts statx(int dirFd, String path, int flags) throws SysException {
        before("statx", path, 0, 0);
        return real.statx(dirFd, path, flags);
    }

    @Override
    public VolumeFacts fstatvfs(int fd) throws SysException {
        before("fstatvfs", path(fd), 0, 0);
        return real.fstatvfs(fd);
    }

    @Override
    public int umask(int mask) {
        return real.umask(mask);
    }

    private String path(int fd) {
        return open.getOrDefault(fd, "descriptor " + fd);
    }

    private boolean mayPass(String name, Object on, long offset, long bytes) throws SysException {
        return !(before(name, on, offset, bytes) instanceof Skip);
    }

    /** Counts the call and carries out what is to happen before it; the answer is what is left to the caller. */
    private Effect before(String name, Object on, long offset, long bytes) throws SysException {
        requireAlive(name);
        long number = counts.computeIfAbsent(name, _ -> new AtomicLong()).getAndIncrement();
        Effect effect = effectOn(new Call(name, on.toString(), offset, bytes, number));
        switch (effect) {
            case Fail(int errno) -> throw new SysException(name, errno, on.toString());
            case Hang(CountDownLatch until) -> await(until);
            case Slow(SlowDevice device) -> device.serve(bytes);
            case Kill _
            when !name.equals("pwrite") -> {
                kill();
                throw new Killed(name);
            }
            case Pass _, Partial _, Skip _, Kill _ -> {}
        }
        requireAlive(name);
        return effect;
    }

    private Effect effectOn(Call call) {
        for (Rule rule : rules) {
            if (rule.when.test(call) && rule.times.getAndDecrement() > 0) {
                return rule.effect;
            }
        }
        return new Pass();
    }

    private void requireAlive(String name) {
        if (killed) {
            throw new Killed(name);
        }
    }

    private static MemorySegment first(MemorySegment bytes, long most) {
        return bytes.asSlice(0, Math.min(most, bytes.byteSize()));
    }

    private static void await(CountDownLatch until) {
        try {
            until.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
