package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.pool.Clocks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Files that refused to go: left out for {@link #MINUTES} minutes, {@value #FILES_MAX} at most, of more the latest. One line says so
 * per kind of error and ten minutes. What the volume refuses for the moment is none of them ({@link VolumeRefusals}). Guarded by
 * itself; the listener is told without the lock.
 */
final class RefusedFiles {
    private static final int MINUTES = 10;
    private static final int FILES_MAX = 10_000;

    /** How old a sum may be, before those are taken out whose time is over. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Intake intake;
    private final VolumeListener listener;
    private final Clocks clocks;

    @GuardedBy("this")
    private final Map<VolumeFile, Refused> files = new LinkedHashMap<>();

    @GuardedBy("this")
    private long bytes;

    /** When those were last taken out whose time is over. */
    @GuardedBy("this")
    private long expiredNanos;

    /** When a line was last written, by kind of error. */
    @GuardedBy("this")
    private final Map<Integer, Long> told = new LinkedHashMap<>();

    /** Whether anything was ever left out: spares the lock where nothing refuses to go. */
    private volatile boolean any;

    private volatile int lastErrno;

    /** A file left out, with its bytes as counted in {@link #bytes}. */
    private record Refused(long untilNanos, long bytes) {}

    /**
     * None yet.
     *
     * @param intake told of each that is left out: a file that may come back by a walk only is missing until then
     */
    RefusedFiles(Intake intake, VolumeListener listener, Clocks clocks) {
        this.intake = intake;
        this.listener = listener;
        this.clocks = clocks;
        this.expiredNanos = clocks.monotonicNanos();
    }

    /** Leaves a file out that could not be removed. */
    void add(VolumeFile file, int errno) {
        lastErrno = errno;
        isMissing(file);
        long now = clocks.monotonicNanos();
        boolean tell;
        synchronized (this) {
            remove(file);
            files.put(file, new Refused(now + TimeUnit.MINUTES.toNanos(MINUTES), file.bytes()));
            any = true;
            bytes += file.bytes();
            if (files.size() > FILES_MAX) {
                remove(files.keySet().iterator().next());
            }
            Long before = told.get(errno);
            tell = before == null || now - before > TimeUnit.MINUTES.toNanos(MINUTES);
            if (tell) {
                told.put(errno, now);
            }
        }
        if (tell) {
            listener.warn("cannot remove " + file.display() + ": " + Errno.name(errno)
                    + "; it and others like it are left out for " + MINUTES + " minutes, the rest goes on");
        }
    }

    @GuardedBy("this")
    private void remove(VolumeFile file) {
        Refused gone = files.remove(file);
        bytes -= gone == null ? 0 : gone.bytes();
    }

    /** Whether a file is left out because it refused to go lately. */
    boolean contains(VolumeFile file) {
        boolean contains = any && isStillLeftOut(file);
        if (contains) {
            isMissing(file);
        }
        return contains;
    }

    private void isMissing(VolumeFile file) {
        if (file.cause() == RemovalCause.CAPACITY) {
            intake.leftOut(file.recencySeconds());
        }
    }

    private synchronized boolean isStillLeftOut(VolumeFile file) {
        Refused left = files.get(file);
        boolean over = left != null && clocks.monotonicNanos() - left.untilNanos > 0;
        if (over) {
            remove(file);
        }
        return left != null && !over;
    }

    /** Name of the error of the last refusal. */
    String lastError() {
        return Errno.name(lastErrno);
    }

    /** Number of files left out now. */
    synchronized int count() {
        expire();
        return files.size();
    }

    /** Allocated bytes of the files left out now. */
    synchronized long bytes() {
        expire();
        return bytes;
    }

    @GuardedBy("this")
    private void expire() {
        long now = clocks.monotonicNanos();
        if (!files.isEmpty() && now - expiredNanos > FRESH_NANOS) {
            expiredNanos = now;
            List<VolumeFile> over = files.entrySet().stream()
                    .filter(file -> now - file.getValue().untilNanos > 0)
                    .map(Map.Entry::getKey)
                    .toList();
            over.forEach(this::remove);
        }
    }
}
