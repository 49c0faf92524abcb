package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.pool.Clocks;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the volume refuses for the moment (read-only, a server that fails over, an error of the device), told apart from what a
 * file refuses. A file that fails for such a reason stays with the deleter that has it, so that nobody takes a hotter one in its
 * place; after two failures in a row all deleters pause, the longer the longer nothing has worked, {@link #PAUSE_MAX_NANOS} at most, and
 * whatever works first ends that for all.
 *
 * <p>A failure becomes the file's own when it has failed for {@link #FILE_SECONDS} and others worked between its last two tries: that
 * is one bad inode on a volume that works. Of a folder that cannot be opened that holds for all files in it. Nothing may be tried
 * but files that fail where little has to go; then, after as long, deleters try a few beyond the need ({@link VolumeSource}).
 *
 * <p>Guarded by itself; the listener is told without the lock.
 */
final class VolumeRefusals {
    /** How long a file fails, beside others that work, before that is taken for an error of its own. */
    static final int FILE_SECONDS = 5;

    /** Files that a deleter tries between two pauses once nothing has worked for {@link #FILE_SECONDS}, and as many beyond the need; one, before. */
    static final int TRIES = 8;

    /** How long nothing must have worked before that is told. */
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long FILE_NANOS = TimeUnit.SECONDS.toNanos(FILE_SECONDS);
    /** After how long without a try a file, or folder, that failed is as good as any other. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** After how long without a failure those of before say nothing of the next one. */
    private static final long OVER_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** Files called bad after {@link #FILE_SECONDS} each, from which on others need not fail for as long. */
    private static final int BAD_MIN = 2;

    private static final int FOLDERS_MAX = 1_000;
    private static final long PAUSE_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PAUSE_MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Failures in a row that begin a pause: of a single one the next file tells whether it is the volume's. */
    private static final int ROW = 2;

    /** How old the last failure is when nobody tries any more: what it said is no longer the state of the volume. */
    private static final long OLD_NANOS = 5 * PAUSE_MAX_NANOS;

    private final VolumeListener listener;
    private final Clocks clocks;

    /** The failures since anything worked. */
    @GuardedBy("this")
    private Optional<Trouble> trouble = Optional.empty();

    /** Until then nothing is tried. */
    @GuardedBy("this")
    private long pauseEndNanos;

    /** Files that failed and are kept: as many as deleters hold. */
    @GuardedBy("this")
    private final Map<VolumeFile, Stuck> stuck = new HashMap<>();

    @GuardedBy("this")
    private long stuckBytes;

    /** Folders that could not be opened: those that were tried lately. */
    @GuardedBy("this")
    private final Map<Folder, Stuck> folders = new LinkedHashMap<>();

    /** Counts what became of tries, so that it can be told what came after what. */
    @GuardedBy("this")
    private long tries;

    /** The last try after which a file was gone. */
    @GuardedBy("this")
    private long removed;

    /** The last try that was answered, whatever the answer. */
    @GuardedBy("this")
    private long answered;

    /** Files called bad, each within {@link #FORGOTTEN_NANOS} of the one before. */
    @GuardedBy("this")
    private int badFiles;

    @GuardedBy("this")
    private long lastBadNanos;

    @GuardedBy("this")
    private Optional<Told> told = Optional.empty();

    /** Whether anything is kept or in trouble: spares the lock where nothing ever fails. */
    private volatile boolean any;

    /**
     * Failures with nothing between them that worked.
     *
     * @param looks whether all of them were at a look: then a look that is answered ends it
     */
    private record Trouble(long sinceNanos, long lastNanos, int failures, boolean looks, int errno, String file) {
        private String text() {
            return (isOurs(errno)
                            ? "removals fail because this machine is short of something: "
                            : "the volume refuses removals: ")
                    + Errno.name(errno);
        }
    }

    /**
     * A file or folder that failed.
     *
     * @param tried the number of its last try; of one that is bad, of the last before that was known
     * @param bytes as counted in {@link #stuckBytes}
     */
    private record Stuck(long sinceNanos, long lastNanos, long tried, long bytes) {}

    /** A folder, in Latin-1, below the rank directory with this number. */
    private record Folder(int rank, String path) {
        private static Folder of(VolumeFile file) {
            return new Folder(file.rank().id(), new String(file.directory(), StandardCharsets.ISO_8859_1));
        }
    }

    /** What it is that failed. */
    enum Failing {
        /** The folder of the file could not be opened. */
        FOLDER,
        /** The file could not be looked at. */
        LOOK,
        /** It could not be removed. */
        REMOVAL
    }

    /** What was told last, and when. */
    private record Told(String error, long nanos) {}

    VolumeRefusals(VolumeListener listener, Clocks clocks) {
        this.listener = listener;
        this.clocks = clocks;
        this.pauseEndNanos = clocks.monotonicNanos();
    }

    /** Whether an error says something of the file alone. What is not known to do so may be the volume's, for all one knows. */
    static boolean isOfFile(int errno) {
        return switch (errno) {
            case Errno.EPERM,
                    Errno.EACCES,
                    Errno.EBUSY,
                    Errno.EISDIR,
                    Errno.ELOOP,
                    Errno.EXDEV,
                    Errno.ENAMETOOLONG,
                    Errno.ENOTEMPTY -> true;
            default -> false;
        };
    }

    private static boolean isOurs(int errno) {
        return errno == Errno.EMFILE || errno == Errno.ENFILE || errno == Errno.ENOMEM;
    }

    /**
     * Takes note of a failure that is not known to be the file's.
     *
     * @return whether it is the volume's as far as is known, so that the file is kept
     */
    boolean failed(VolumeFile file, Failing what, int errno) {
        Optional<String> news;
        synchronized (this) {
            any = true;
            long now = clocks.monotonicNanos();
            boolean looking = what != Failing.REMOVAL;
            long othersWorked = looking ? answered : removed;
            tries++;
            boolean folderIsBad = what == Failing.FOLDER && isBad(folders, Folder.of(file), 0, othersWorked, now);
            if (folders.size() > FOLDERS_MAX) {
                folders.remove(folders.keySet().iterator().next());
            }
            if (folderIsBad || isBad(stuck, file, file.bytes(), othersWorked, now)) {
                forget(file);
                countBad(now);
                return false;
            }
            Trouble next = trouble.filter(so -> now - so.lastNanos < OVER_NANOS)
                    .map(so -> new Trouble(
                            so.sinceNanos, now, so.failures + 1, so.looks && looking, errno, file.display()))
                    .orElseGet(() -> new Trouble(now, now, 1, looking, errno, file.display()));
            trouble = Optional.of(next);
            pause(next);
            news = news(next);
        }
        news.ifPresent(listener::warn);
        return true;
    }

    /** Notes that something failed; whether that is its own error. */
    @GuardedBy("this")
    private <K> boolean isBad(Map<K, Stuck> failing, K key, long bytes, long othersWorked, long now) {
        Optional<Stuck> known = Optional.ofNullable(failing.remove(key));
        stuckBytes += bytes - known.map(Stuck::bytes).orElse(0L);
        Optional<Stuck> before = known.filter(then -> now - then.lastNanos < FORGOTTEN_NANOS);
        long since = before.map(Stuck::sinceNanos).orElse(now);
        boolean bad = before.isPresent() && before.get().tried < othersWorked && now - since >= proofNanos(now);
        failing.put(key, new Stuck(since, now, bad ? before.get().tried : tries, bytes));
        return bad;
    }

    /** How long all must have failed before more is tried, and one before it is bad: less where others have been found to be. */
    @GuardedBy("this")
    private long proofNanos(long now) {
        return badFiles >= BAD_MIN && now - lastBadNanos < FORGOTTEN_NANOS ? PAUSE_MIN_NANOS : FILE_NANOS;
    }

    @GuardedBy("this")
    private void countBad(long now) {
        badFiles = now - lastBadNanos < FORGOTTEN_NANOS ? badFiles + 1 : 1;
        lastBadNanos = now;
    }

    /** Twice as long each time, and so that a try comes at the moment from which more is tried. */
    @GuardedBy("this")
    private void pause(Trouble now) {
        if (now.failures >= ROW) {
            long lasts = now.lastNanos - now.sinceNanos;
            long pause = Math.clamp(lasts, PAUSE_MIN_NANOS, PAUSE_MAX_NANOS);
            long proof = proofNanos(now.lastNanos);
            pauseEndNanos = now.lastNanos + (lasts < proof ? Math.min(pause, proof - lasts) : pause);
        }
    }

    @GuardedBy("this")
    private Optional<String> news(Trouble now) {
        boolean old = told.filter(
                        before -> before.error.equals(now.text()) && now.lastNanos - before.nanos < TELL_AGAIN_NANOS)
                .isPresent();
        if (old || now.lastNanos - now.sinceNanos < TELL_NANOS) {
            return Optional.empty();
        }
        told = Optional.of(new Told(now.text(), now.lastNanos));
        return Optional.of(
                now.text() + " (" + now.file + " was tried last); nothing hotter goes in the place of what fails,"
                        + " which is tried again every " + TimeUnit.NANOSECONDS.toSeconds(PAUSE_MAX_NANOS) + " s");
    }

    /** Takes note of a file that is gone, by our removal. */
    void removed(VolumeFile file) {
        if (any) {
            worked(file, true);
        }
    }

    /** Takes note of a file that was looked at, and stays or is gone already, or has an error of its own. */
    void answered(VolumeFile file) {
        if (any) {
            worked(file, false);
        }
    }

    private void worked(VolumeFile file, boolean gone) {
        Optional<String> news = Optional.empty();
        synchronized (this) {
            forget(file);
            if (!folders.isEmpty()) {
                folders.remove(Folder.of(file));
                forgetOldestFolder();
            }
            answered = ++tries;
            removed = gone ? answered : removed;
            if (trouble.isPresent() && (gone || trouble.get().looks)) {
                news = told.map(before -> end(trouble.get()));
                told = Optional.empty();
                trouble = Optional.empty();
                pauseEndNanos = clocks.monotonicNanos();
                notifyAll();
            }
            any = trouble.isPresent() || !stuck.isEmpty() || !folders.isEmpty();
        }
        news.ifPresent(listener::warn);
    }

    @GuardedBy("this")
    private void forgetOldestFolder() {
        Iterator<Stuck> oldest = folders.values().iterator();
        if (oldest.hasNext() && clocks.monotonicNanos() - oldest.next().lastNanos >= FORGOTTEN_NANOS) {
            oldest.remove();
        }
    }

    private static String end(Trouble before) {
        return String.format(
                Locale.ROOT,
                "removals work again: they failed for %.1f s, the last with %s",
                (before.lastNanos - before.sinceNanos) / 1e9,
                Errno.name(before.errno));
    }

    /** Forgets a file that nobody keeps any more. */
    void dropped(VolumeFile file) {
        if (any) {
            forget(file);
        }
    }

    private synchronized void forget(VolumeFile file) {
        Stuck before = stuck.remove(file);
        stuckBytes -= before == null ? 0 : before.bytes;
    }

    /** Whether a file failed when it was tried last, and is kept. */
    boolean keeps(VolumeFile file) {
        return any && isStuck(file);
    }

    private synchronized boolean isStuck(VolumeFile file) {
        return stuck.containsKey(file);
    }

    /** Whether the folder of a file could not be opened when that was tried last. */
    boolean keepsFolderOf(VolumeFile file) {
        return any && isFolderStuck(file);
    }

    private synchronized boolean isFolderStuck(VolumeFile file) {
        return folders.containsKey(Folder.of(file));
    }

    /** Whether nothing has worked since the last failure. */
    boolean lasts() {
        return any && isTrouble();
    }

    private synchronized boolean isTrouble() {
        return now().isPresent();
    }

    /** The trouble, unless its last failure was so long ago that it says nothing any more. */
    @GuardedBy("this")
    private Optional<Trouble> now() {
        return trouble.filter(so -> clocks.monotonicNanos() - so.lastNanos < OVER_NANOS);
    }

    /** Whether deleters pause. */
    boolean pausing() {
        return any && isPausing();
    }

    @GuardedBy("this")
    private boolean beforePauseEnd() {
        return trouble.isPresent() && clocks.monotonicNanos() - pauseEndNanos < 0;
    }

    private synchronized boolean isPausing() {
        return beforePauseEnd();
    }

    /** Whether what is left of a batch is to wait: it would fail as well. */
    boolean endsBatch() {
        return pausing() && !lastsLong();
    }

    /** Whether nothing has worked for so long that more has to be tried to find out what it is that fails. */
    boolean lastsLong() {
        return any && isLong();
    }

    private synchronized boolean isLong() {
        return now().filter(so -> so.lastNanos - so.sinceNanos >= proofNanos(so.lastNanos))
                .isPresent();
    }

    /** Allocated bytes of what is kept while that is so: what is tried beyond it lies further up. */
    long bytes() {
        return lastsLong() ? heldBytes() : 0;
    }

    private synchronized long heldBytes() {
        return stuckBytes;
    }

    /** Waits until the pause is over, so long at most. */
    synchronized void await(long millis) throws InterruptedException {
        long end = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (beforePauseEnd() && clocks.monotonicNanos() - end < 0) {
            long now = clocks.monotonicNanos();
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, Math.min(end - now, pauseEndNanos - now)));
        }
    }

    /** What the volume refuses, once that has lasted for a moment and as long as it is tried; empty when nothing is. */
    synchronized String problem() {
        return trouble.filter(now -> told.isPresent() && clocks.monotonicNanos() - now.lastNanos < OLD_NANOS)
                .map(now -> now.text() + " (" + now.file + " was tried last)")
                .orElse("");
    }
}
