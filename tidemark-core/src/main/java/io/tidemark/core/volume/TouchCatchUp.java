package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Reads the touch logs of rank directories that a walk finds for the first time, to their end, before any of their files is
 * looked at: by its stamps alone a file that clients read all the time may be the coldest of all, and would go first. That
 * takes {@value #SECONDS_MAX} s at most; what is left then is told, and read on beside the walk. Which of them have a log is
 * looked up first, by several threads where they are many: on a network file system each look is a round trip, and most
 * volumes have no log at all. Then a piece of each log in turn. Called by one thread.
 */
final class TouchCatchUp {
    /** Longest wait of a walk: deletion from a volume that fills cannot wait for ever. */
    static final int SECONDS_MAX = 10;

    /** Threads that look for logs at most, the caller's among them ... */
    private static final int LOOKING_MAX = 16;

    /** ... and rank directories that one more thread pays for. */
    static final int RANKS_PER_THREAD = 32;

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
        log.found(ranks);
        boolean all = look(ranks, end);
        Queue<RankDir> left = ranks.stream().filter(log::isUnread).collect(Collectors.toCollection(ArrayDeque::new));
        while (!left.isEmpty() && goesOn(end)) {
            RankDir rank = left.remove();
            if (log.read(rank, clocks.wallMillis() / 1000).more()) {
                left.add(rank);
            }
        }
        if (!left.isEmpty() && !stopping.getAsBoolean()) {
            String example = left.size() + " rank directories, " + left.element() + " for one,";
            listener.warn((all ? "touch logs of " + example + " are" : example + " may have touch logs that are")
                    + " not read to their end after " + SECONDS_MAX
                    + " s; they are read on, but until then files go as if what is left of them were not there");
        }
    }

    private boolean goesOn(long endNanos) {
        return clocks.monotonicNanos() - endNanos < 0 && !stopping.getAsBoolean();
    }

    /** Looks which have a log; false when there was no time to look at each. */
    private boolean look(List<RankDir> ranks, long endNanos) {
        AtomicInteger next = new AtomicInteger();
        AtomicInteger looked = new AtomicInteger();
        Runnable work = () -> {
            int index = next.getAndIncrement();
            while (index < ranks.size() && goesOn(endNanos)) {
                log.look(ranks.get(index));
                looked.incrementAndGet();
                index = next.getAndIncrement();
            }
        };
        List<Thread> helpers = start(Math.min(LOOKING_MAX, ranks.size() / RANKS_PER_THREAD) - 1, work);
        work.run();
        helpers.forEach(helper -> await(helper, endNanos));
        return looked.get() == ranks.size();
    }

    private static List<Thread> start(int number, Runnable work) {
        List<Thread> started = new ArrayList<>();
        try {
            while (started.size() < number) {
                started.add(Thread.ofPlatform()
                        .daemon()
                        .name("touch-logs-" + started.size())
                        .start(work));
            }
        } catch (OutOfMemoryError _) {
            // the limit of threads: those that are there do it
        }
        return started;
    }

    private void await(Thread helper, long endNanos) {
        try {
            helper.join(Duration.ofNanos(Math.max(1, endNanos - clocks.monotonicNanos())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
