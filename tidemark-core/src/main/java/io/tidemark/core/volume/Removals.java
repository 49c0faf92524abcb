package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.Reclaimable.Freed;
import io.tidemark.core.medium.Reclaimable.Outcome;
import io.tidemark.core.pool.Clocks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps the books of what goes: grant, census, counters, events, and the folder that may be empty now. Files that
 * refuse to go are left out for {@link #PARK_MINUTES} minutes, and one line says so per kind of error and time.
 *
 * <p>Called from every deleter. Its lock guards the parked files only.
 */
final class Removals {
    private static final int PARK_MINUTES = 10;
    private static final int PARKED_MAX = 10_000;
    /** Bound of the list that a shadow compares at the end. */
    private static final int REHEARSED_MAX = 200_000;

    private final SweepMode mode;
    private final Layout layout;
    private final DeletionGrant grant;
    private final Census census;
    private final VolumeCounters counters;
    private final FolderQueue folders;
    private final RateLimit rate;
    private final VolumeListener listener;
    private final Clocks clocks;
    private final RehearsedFiles rehearsedFiles;
    private final LongAdder gone = new LongAdder();
    private volatile int lastErrno;
    private volatile boolean rehearsalFull;

    @GuardedBy("this")
    private final Map<VolumeFile, Parked> parked = new LinkedHashMap<>();

    @GuardedBy("this")
    private long parkedBytes;

    /** Whether anything was ever left out: spares the lock where nothing refuses to go. */
    private volatile boolean anyParked;

    @GuardedBy("this")
    private final Map<Integer, Long> warned = new LinkedHashMap<>();

    @GuardedBy("this")
    private final List<VolumeFile> rehearsed = new ArrayList<>();

    /** A file left out, with its bytes as counted in {@link #parkedBytes}. */
    private record Parked(long sinceNanos, long bytes) {}

    Removals(
            SweepMode mode,
            Layout layout,
            DeletionGrant grant,
            Census census,
            VolumeCounters counters,
            FolderQueue folders,
            RateLimit rate,
            RehearsedFiles rehearsedFiles,
            VolumeListener listener,
            Clocks clocks) {
        this.mode = mode;
        this.layout = layout;
        this.grant = grant;
        this.census = census;
        this.counters = counters;
        this.folders = folders;
        this.rate = rate;
        this.rehearsedFiles = rehearsedFiles;
        this.listener = listener;
        this.clocks = clocks;
    }

    /**
     * Counts a file against the grant, right before it goes.
     *
     * @return for {@link #stays}
     */
    long goes(VolumeFile file, long bytes) {
        return file.cause() == RemovalCause.CAPACITY ? grant.take(bytes) : 0;
    }

    /** Puts back into the grant what {@link #goes} took for a file that did not go after all. */
    void stays(VolumeFile file, long taken, long bytes) {
        if (file.cause() == RemovalCause.CAPACITY) {
            grant.putBack(taken, bytes);
        }
    }

    /** Books what a free came to; what was freed has left the grant before. */
    void settled(VolumeFile file, Freed freed) {
        if (freed.outcome() != Outcome.FREED) {
            return;
        }
        rate.used();
        gone.increment();
        if (mode == SweepMode.RUN) {
            String model = layout.model(file.name()).orElse(file.rank().modelLabel());
            counters.removed(model, file.cause(), freed.bytes());
            forget(file);
            if (file.cause() != RemovalCause.ORPHAN) {
                listener.removed(file.rank(), layout.hash(file.name()));
            }
        } else {
            rehearse(file, freed.bytes());
        }
    }

    private void forget(VolumeFile file) {
        int digit = file.shard(layout);
        if (digit >= 0 && file.cause() != RemovalCause.ORPHAN) {
            census.removed(file.rank().id(), digit, file.recencySeconds(), file.bytes());
        }
    }

    /** Takes note of a folder, given below its rank directory, out of which files went: it may be empty now. */
    void emptied(RankDir rank, byte[] folder) {
        if (folder.length > 0) {
            folders.offer(new FolderQueue.Folder(rank, new String(folder, StandardCharsets.ISO_8859_1)));
        }
    }

    /** Whether a rehearsal has not met a file before; files that stay are found again by each walk. */
    boolean isNews(VolumeFile file) {
        return switch (rehearsedFiles.add(file, file.bytes())) {
            case NEW -> true;
            case KNOWN -> false;
            case FULL -> {
                rehearsalFull = true;
                yield false;
            }
        };
    }

    /** Whether files would go that a rehearsal cannot keep in mind. */
    boolean rehearsalFull() {
        return rehearsalFull;
    }

    private void rehearse(VolumeFile file, long bytes) {
        if (mode == SweepMode.DRY_RUN) {
            long age = Math.max(0, clocks.wallMillis() / 1000 - file.recencySeconds());
            listener.wouldRemove(file.display(), bytes, age);
        } else {
            synchronized (this) {
                if (rehearsed.size() < REHEARSED_MAX) {
                    rehearsed.add(file);
                }
            }
        }
    }

    /** Usage as it would be had a rehearsal been real. */
    Usage pretend(Usage usage) {
        RehearsalSum sum = rehearsedFiles.sum();
        return usage.less(sum.bytes(), sum.files());
    }

    /** What the rehearsal that goes on would have removed. */
    RehearsalSum rehearsal() {
        return rehearsedFiles.sum();
    }

    /**
     * Ends a rehearsal: the files it would have removed, and the account back at nothing. They stay known, so that they are
     * not listed again, until it begins again.
     */
    synchronized List<VolumeFile> endRehearsal() {
        List<VolumeFile> files = List.copyOf(rehearsed);
        rehearsed.clear();
        rehearsedFiles.told();
        return files;
    }

    /** Lets a rehearsal begin again. */
    void beginRehearsal() {
        rehearsedFiles.clear();
        rehearsalFull = false;
    }

    /** Files that went since the start, in earnest or rehearsed. */
    long gone() {
        return gone.sum();
    }

    void skipped(String reason) {
        counters.skipped(reason);
    }

    /** Books a file that could not be removed. */
    void refused(VolumeFile file, int errno) {
        counters.skipped(Errno.name(errno));
        lastErrno = errno;
        long now = clocks.monotonicNanos();
        boolean tell;
        synchronized (this) {
            unpark(file);
            parked.put(file, new Parked(now, file.bytes()));
            anyParked = true;
            parkedBytes += file.bytes();
            if (parked.size() > PARKED_MAX) {
                unpark(parked.keySet().iterator().next());
            }
            Long before = warned.get(errno);
            tell = before == null || now - before > TimeUnit.MINUTES.toNanos(PARK_MINUTES);
            if (tell) {
                warned.put(errno, now);
            }
        }
        if (tell) {
            listener.warn("cannot remove " + file.display() + ": " + Errno.name(errno) + "; it and others like it are"
                    + " left out for " + PARK_MINUTES + " minutes, the rest goes on");
        }
    }

    @GuardedBy("this")
    private void unpark(VolumeFile file) {
        Parked gone = parked.remove(file);
        parkedBytes -= gone == null ? 0 : gone.bytes();
    }

    /** Whether a file is left out because it refused to go lately. */
    boolean isParked(VolumeFile file) {
        return anyParked && isStillParked(file);
    }

    private synchronized boolean isStillParked(VolumeFile file) {
        Parked left = parked.get(file);
        boolean over =
                left != null && clocks.monotonicNanos() - left.sinceNanos > TimeUnit.MINUTES.toNanos(PARK_MINUTES);
        if (over) {
            unpark(file);
        }
        return left != null && !over;
    }

    /** Name of the error of the last refusal. */
    String lastRefusal() {
        return Errno.name(lastErrno);
    }

    /** Number of files left out now. */
    synchronized int parkedFiles() {
        return parked.size();
    }

    /** Allocated bytes of the files left out now. */
    synchronized long parkedBytes() {
        return parkedBytes;
    }
}
