package io.tidemark.core.medium;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

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

    private final String medium;
    private final Sys sys;
    private final List<NamedFile> files;
    private final DeviceHealth health;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    /** Of the thread alone. */
    private boolean told = false;

    /** A file that is open, and the name that the next start will look for it under. */
    record NamedFile(int fd, String path) {
        /** Whether the name leads to this very file. */
        boolean isThere(Sys sys) throws SysException {
            try {
                Sys.FileFacts there = sys.statx(Sys.AT_FDCWD, path, 0);
                Sys.FileFacts open = sys.statx(fd, "", Sys.AT_EMPTY_PATH);
                return there.inode() == open.inode() && there.device() == open.device();
            } catch (SysException e) {
                if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                    return false;
                }
                throw e;
            }
        }
    }

    /** A watch that is not started yet. */
    NameWatch(String medium, Sys sys, List<NamedFile> files, DeviceHealth health) {
        this.medium = medium;
        this.sys = sys;
        this.files = files;
        this.health = health;
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
            for (NamedFile file : files) {
                if (closing.getCount() > 0 && !file.isThere(sys)) {
                    tell(file.path());
                    return;
                }
            }
            if (told) {
                told = false;
                health.named();
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}: its files are back in their place, and in use again",
                        medium);
            }
        } catch (SysException | RuntimeException | Error e) { // of memory, say: the next look may go well
            // A name that cannot be looked at says nothing; a device that fails shows in its reads and writes.
            LOG.log(System.Logger.Level.DEBUG, medium + ": its names cannot be looked at", e);
        }
    }

    private void tell(String path) {
        health.nameless(path + " is no longer the file that is open here (deleted, or its directory moved, unmounted or"
                + " mounted over): nothing new is stored, what is there is served until the next start");
        if (!told) {
            told = true;
            LOG.log(
                    System.Logger.Level.ERROR,
                    "{0}: {1} is no longer the file that this server has open: it was deleted, or its directory was moved,"
                            + " unmounted or mounted over. What is stored there is served until the next start, which will"
                            + " not find it; nothing new is stored there, and its space shows in df, not in du. Put it back"
                            + " in its place, or restart the server to begin with what is there now",
                    medium,
                    path);
        }
    }

    /** Looks no more. False: a call still keeps the thread. */
    boolean awaitEnd() {
        try {
            return thread.join(Duration.ofMillis(CLOSE_MILLIS));
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
