package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.ArrayList;
import java.util.List;

/**
 * The book of a dry run or a shadow: what would have gone, each file once, and what the volume would be like then. A dry run
 * tells each file as it is entered; a shadow keeps them, to be compared at the end. Stays empty in earnest.
 *
 * <p>Called by every deleter, by the activator and at the end of a walk. Its lock guards the files that a shadow keeps.
 */
final class RehearsalBook {
    /** Bound of the list that a shadow compares at the end. */
    private static final int COMPARED_MAX = 200_000;

    private final SweepMode mode;
    private final RehearsedFiles known;
    private final VolumeListener listener;
    private final Clocks clocks;
    private volatile boolean full;

    @GuardedBy("this")
    private final List<VolumeFile> toCompare = new ArrayList<>();

    RehearsalBook(SweepMode mode, RehearsedFiles known, VolumeListener listener, Clocks clocks) {
        this.mode = mode;
        this.known = known;
        this.listener = listener;
        this.clocks = clocks;
    }

    /** Whether there is anything to rehearse, and of what kind. */
    SweepMode mode() {
        return mode;
    }

    /** Whether this file was not met before; files that stay are found again by each walk. */
    boolean isNews(VolumeFile file) {
        return switch (known.add(file, file.bytes())) {
            case NEW -> true;
            case KNOWN -> false;
            case FULL -> {
                full = true;
                yield false;
            }
        };
    }

    /** Whether files would go that cannot be kept in mind. */
    boolean isFull() {
        return full;
    }

    /** Enters a file that would have gone. */
    void enter(VolumeFile file) {
        if (mode == SweepMode.DRY_RUN) {
            long age = Math.max(0, clocks.wallMillis() / 1000 - file.recencySeconds());
            listener.wouldRemove(file.display(), file.bytes(), age);
        } else {
            keep(file);
        }
    }

    private synchronized void keep(VolumeFile file) {
        if (toCompare.size() < COMPARED_MAX) {
            toCompare.add(file);
        }
    }

    /** What would have gone since the rehearsal began. */
    RehearsalSum sum() {
        return known.sum();
    }

    /** Usage as it would be had all this been real. */
    Usage pretend(Usage usage) {
        RehearsalSum sum = sum();
        return usage.less(sum.bytes(), sum.files());
    }

    /** A walk over everything has ended: what it has not found is not there any more. */
    void walkEnded() {
        known.walkEnded();
    }

    /**
     * Ends the rehearsal: the files to compare, and the sum back at nothing. The files stay known, so that they are not
     * listed again, until it {@linkplain #begin begins} again.
     */
    List<VolumeFile> end() {
        known.told();
        return takeCompared();
    }

    private synchronized List<VolumeFile> takeCompared() {
        List<VolumeFile> files = List.copyOf(toCompare);
        toCompare.clear();
        return files;
    }

    /** Lets the rehearsal begin again. */
    void begin() {
        known.clear();
        full = false;
    }
}
