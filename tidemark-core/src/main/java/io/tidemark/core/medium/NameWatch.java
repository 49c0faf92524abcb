package io.tidemark.core.medium;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Looks once a second whether the names of the open files of a medium still lead to them. A file that was deleted, or whose
 * directory was moved, unmounted or mounted over, goes on working for who has it open, and nothing else shows that the next
 * start will find another one there, or none.
 *
 * <p>On a thread of its own: another file system may lie under the name now, and one that hangs holds up nobody.
 */
final class NameWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(NameWatch.class.getName());
    private static final long PAUSE_MILLIS = 1_000;
    private static final long CLOSE_MILLIS = 100;
    /** After so long without a look that came to an answer, that is told. */
    private static final long BLIND_MILLIS = 10_000;

    private static final String CAUSES =
            "it was deleted, or its directory was moved, unmounted, mounted over or closed to this user";
    private static final String ANOTHER = "is no longer the file that is open here: " + CAUSES;

    private final String medium;
    private final Sys sys;
    private final List<NamedFile> files;
    private final DeviceHealth health;
    private final LongSupplier nanoClock;
    private final LongSupplier flushed;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    /** Of the thread alone. */
    private boolean told = false;

    /** When the last look came to an answer. */
    private volatile long sawNanos;
    /** What was on disk when a look began that found every name in its place. */
    private volatile long seen;

    private volatile String failure = "the look does not come back";
    private final AtomicBoolean blindTold = new AtomicBoolean();

    /** A file that is open, and the name that the next start will look for it under. */
    record NamedFile(int fd, String path) {
        /**
         * Why the name does not lead to this very file; empty: it does.
         *
         * @throws SysException when that cannot be told
         */
        String lost(Sys sys) throws SysException {
            try {
                Sys.FileFacts there = sys.statx(Sys.AT_FDCWD, path, 0);
                Sys.FileFacts open = sys.statx(fd, "", Sys.AT_EMPTY_PATH);
                return there.inode() == open.inode() && there.device() == open.device() ? "" : ANOTHER;
            } catch (SysException e) {
                return switch (e.errno()) {
                    case Errno.ENOENT, Errno.ENOTDIR -> ANOTHER;
                    case Errno.EACCES, Errno.ELOOP, Errno.ESTALE ->
                        "can no longer be looked up (" + Errno.name(e.errno()) + "): " + CAUSES;
                    default -> throw e;
                };
            }
        }
    }

    /**
     * A watch that is not started yet.
     *
     * @param flushed ticket of the last record that is on disk
     */
    NameWatch(
            String medium,
            Sys sys,
            List<NamedFile> files,
            DeviceHealth health,
            LongSupplier flushed,
            LongSupplier nanoClock) {
        this.medium = medium;
        this.sys = sys;
        this.files = files;
        this.health = health;
        this.flushed = flushed;
        this.nanoClock = nanoClock;
        sawNanos = nanoClock.getAsLong();
        thread = Thread.ofPlatform().daemon().name("tidemark-names-" + medium).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            long before = flushed.getAsLong();
            for (NamedFile file : files) {
                String lost = closing.getCount() > 0 ? file.lost(sys) : "";
                if (!lost.isEmpty()) {
                    tell(file.path() + " " + lost);
                    saw();
                    return;
                }
            }
            saw();
            seen = before;
            if (told) {
                told = false;
                health.named();
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}: its files are back in their place, and in use again",
                        medium);
            }
        } catch (SysException | RuntimeException | Error e) { // of memory, say: the next look may go well
            // This says nothing of the files that are open: a device that fails shows in its reads and writes.
            failure = String.valueOf(e.getMessage());
            LOG.log(System.Logger.Level.DEBUG, medium + ": its names cannot be looked at", e);
        }
    }

    private void saw() {
        sawNanos = nanoClock.getAsLong();
        blindTold.set(false);
    }

    /**
     * Ticket up to which records are in files that had their names afterwards: as good as if no name were lost, since whoever
     * puts these files back brings them back too.
     */
    long seen() {
        return seen;
    }

    private void tell(String lost) {
        health.nameless(lost + "; nothing new is stored, what is there is served until the next start");
        if (!told) {
            told = true;
            LOG.log(
                    System.Logger.Level.ERROR,
                    "{0}: {1}. What is stored there is served until the next start, which will not find it; nothing new is"
                            + " stored there, and its space shows in df, not in du. Put it back in its place, or restart the"
                            + " server to begin with what is there now",
                    medium,
                    lost);
        }
    }

    /**
     * Tells, once, that looks fail or hang, so that a name that is lost meanwhile is not seen. For another thread: the own one
     * may be kept by the look. Waits for nothing.
     */
    boolean tellIfBlind() {
        boolean blind = nanoClock.getAsLong() - sawNanos > TimeUnit.MILLISECONDS.toNanos(BLIND_MILLIS);
        if (blind && blindTold.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: its files cannot be looked up under their names, so whether the next start will find them is not"
                            + " known: {1}",
                    medium,
                    failure);
        }
        return blind;
    }

    /** Looks no more. False: a call still keeps the thread. */
    boolean awaitEnd() {
        try {
            return !thread.isAlive() || thread.join(Duration.ofMillis(CLOSE_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
