package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Reads the touch logs of rank directories that a walk finds for the first time, to their end, before any of their files is
 * looked at: by its stamps alone a file that clients read all the time may be the coldest of all, and would go first. That
 * takes {@value #SECONDS_MAX} s at most; what is left then is told, and read on beside the walk. A piece of each log in turn.
 * One thread.
 */
final class TouchCatchUp {
    /** Longest wait of a walk: deletion from a volume that fills cannot wait for ever. */
    static final int SECONDS_MAX = 10;

    private final TouchLog log;
    private final BooleanSupplier stopping;
    private final VolumeListener listener;
    private final Clocks clocks;

    /**
     * A reader.
     *
     * @param stopping whether the sweeper has been told to stop
     */
    TouchCatchUp(TouchLog log, BooleanSupplier stopping, VolumeListener listener, Clocks clocks) {
        this.log = log;
        this.stopping = stopping;
        this.listener = listener;
        this.clocks = clocks;
    }

    /** Reads their logs. What cannot be read is told by who reads on. */
    void read(List<RankDir> ranks) {
        long end = clocks.monotonicNanos() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        Queue<RankDir> left = new ArrayDeque<>(ranks);
        while (!left.isEmpty() && clocks.monotonicNanos() - end < 0 && !stopping.getAsBoolean()) {
            RankDir rank = left.remove();
            if (log.read(rank, clocks.wallMillis() / 1000).more()) {
                left.add(rank);
            }
        }
        if (!left.isEmpty() && !stopping.getAsBoolean()) {
            listener.warn("touch logs of " + left.size() + " rank directories, " + left.element()
                    + " for one, are not read to their end after " + SECONDS_MAX
                    + " s; they are read on, but until then files go as if what is left of them were not there");
        }
    }
}
