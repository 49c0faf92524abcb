package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Where the recency of files comes from on this mount: a probe of the access time, and the clients' touch logs. One thread;
 * what others read is volatile.
 */
final class RecencyWatch {
    private static final long TOUCH_STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Time after which a probe that could not be made is made again. */
    private static final long PROBE_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Path folder;
    private final String id;
    private final boolean mayWrite;
    private final TouchLog touchLog;
    private final Touches touches;
    private final Supplier<List<RankDir>> ranks;
    private final VolumeListener listener;
    private final Clocks clocks;
    private volatile RecencySource mount = RecencySource.UNKNOWN;
    private boolean probed;
    private String probeFailure = "";
    private long probedNanos;
    private boolean touchesTold;
    private long touchesToldNanos;
    private long touchedNanos;

    /**
     * A watch.
     *
     * @param folder of the sweepers' own files on the volume
     * @param mayWrite whether it may make files there (no dry run, no shadow)
     * @param touches what was told by the logs
     * @param ranks whose touch logs are read
     */
    RecencyWatch(
            Path folder,
            String id,
            boolean mayWrite,
            TouchLog touchLog,
            Touches touches,
            Supplier<List<RankDir>> ranks,
            VolumeListener listener,
            Clocks clocks) {
        this.folder = folder;
        this.id = id;
        this.mayWrite = mayWrite;
        this.touchLog = touchLog;
        this.touches = touches;
        this.ranks = ranks;
        this.listener = listener;
        this.clocks = clocks;
        this.touchedNanos = clocks.monotonicNanos();
    }

    /** Where it comes from: from clients as soon as one has told anything, else from what the mount does with access times. */
    RecencySource source() {
        return touches.any() ? RecencySource.TOUCH_LOG : mount;
    }

    private boolean isOver(long sinceNanos, long waitNanos) {
        return clocks.monotonicNanos() - sinceNanos >= waitNanos;
    }

    /** Probes the mount, once it could be done. */
    void probe() {
        if (mayWrite && (!probed || (!probeFailure.isEmpty() && isOver(probedNanos, PROBE_AGAIN_NANOS)))) {
            probeNow();
        }
    }

    private void probeNow() {
        boolean first = !probed;
        probed = true;
        probedNanos = clocks.monotonicNanos();
        RecencyProbe.Result result = RecencyProbe.probe(folder, id);
        String missing = result.missing().orElse("");
        boolean news = first || !missing.equals(probeFailure);
        probeFailure = missing;
        mount = result.source();
        if (news) {
            tellProbe();
        }
    }

    private void tellProbe() {
        RecencySource source = source();
        if (!probeFailure.isEmpty()) {
            listener.warn(probeFailure + ": "
                    + (source == RecencySource.UNKNOWN ? "whether reads move the access time stays unknown; " : "")
                    + "files that may not be removed are left out");
        }
        switch (source) {
            case MTIME_FIFO ->
                listener.warn("reads leave no trace on this mount: files go in the order they were"
                        + " written, unless clients keep touch logs");
            case ATIME_RELATIME ->
                listener.warn("reads move the access time once a day on this mount (relatime):"
                        + " within a day files go in the order of their first read");
            case ATIME_LIVE, TOUCH_LOG, UNKNOWN -> {}
        }
    }

    /** Reads what clients have written into their touch logs, once a second; at once where one is not at its end. */
    void readTouches() {
        if (!isOver(touchedNanos, TOUCH_STEP_NANOS) && touchLog.behind() == 0) {
            return;
        }
        touchedNanos = clocks.monotonicNanos();
        List<RankDir> now = ranks.get();
        touchLog.onlyThese(now);
        for (RankDir rank : now) {
            TouchLog.Reading reading = touchLog.read(rank, clocks.wallMillis() / 1000);
            reading.failure().ifPresent(e -> tellTouches(rank, e));
        }
    }

    /** Rank directories whose touch logs have not been read to their end. */
    int touchLogsBehind() {
        return touchLog.behind();
    }

    /** Once an interval, whichever rank directory it is. */
    private void tellTouches(RankDir rank, IOException e) {
        if (!touchesTold || isOver(touchesToldNanos, TELL_AGAIN_NANOS)) {
            touchesTold = true;
            touchesToldNanos = clocks.monotonicNanos();
            listener.warn("touch log of " + rank + ": " + e
                    + "; it is read as far as it can be, and is not put aside when it has become large");
        }
    }
}
