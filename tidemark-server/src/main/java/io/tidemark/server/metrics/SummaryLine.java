package io.tidemark.server.metrics;

import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolStatus;
import io.tidemark.server.config.ByteSize;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs at regular times, in one line, what moved since the last one. Says nothing when nothing did. */
public final class SummaryLine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SummaryLine.class);

    private final Pool pool;
    private final ScheduledExecutorService timer;
    /** At first what the pool began with: blocks of an earlier process did not move. */
    private Totals before;

    private SummaryLine(Pool pool, ScheduledExecutorService timer) {
        this.pool = pool;
        this.timer = timer;
        this.before = totals(pool);
    }

    private static Totals totals(Pool pool) {
        Totals totals = new Totals();
        pool.counters(totals);
        return totals;
    }

    /** Begins; 0 means never. */
    public static SummaryLine every(long millis, Pool pool) {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("summary").factory());
        SummaryLine summary = new SummaryLine(pool, timer);
        if (millis > 0) {
            Future<?> _ = timer.scheduleAtFixedRate(summary::log, millis, millis, TimeUnit.MILLISECONDS);
        }
        return summary;
    }

    private void log() {
        try {
            next().ifPresent(LOG::info);
        } catch (RuntimeException e) {
            LOG.warn("no summary this time", e); // an exception that leaves here would end the timer for good
        }
    }

    /** What moved since the last call; empty when nothing did. */
    Optional<String> next() {
        Totals now = totals(pool);
        Optional<String> line = line(before, now, pool.status());
        before = now;
        return line;
    }

    /** What moved between two looks; empty when nothing did. */
    static Optional<String> line(Totals before, Totals now, PoolStatus status) {
        long puts = now.since(before, "tidemark_puts_total");
        long hits = now.since(before, "tidemark_hits_total");
        long misses = now.since(before, "tidemark_misses_total");
        long left = now.since(before, "tidemark_left_copies_total");
        if (puts + hits + misses + left == 0) {
            return Optional.empty();
        }
        return Optional.of("puts %d%s %s; hits %d %s, misses %d; left %d%s %s; blocks %d, fill %s"
                .formatted(
                        puts,
                        kinds(now.kindsSince(before, "tidemark_puts_total")),
                        ByteSize.rounded(now.since(before, "tidemark_stored_bytes_total")),
                        hits,
                        ByteSize.rounded(now.since(before, "tidemark_hit_bytes_total")),
                        misses,
                        left,
                        kinds(now.kindsSince(before, "tidemark_left_copies_total")),
                        ByteSize.rounded(now.since(before, "tidemark_left_bytes_total")),
                        status.blocks(),
                        fill(status.backends())));
    }

    private static String kinds(Map<String, Long> kinds) {
        return kinds.isEmpty()
                ? ""
                : kinds.entrySet().stream()
                        .map(kind -> kind.getKey() + " " + kind.getValue())
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    private static String fill(List<BackendStatus> backends) {
        return backends.stream()
                .map(backend -> String.format(
                        Locale.ROOT,
                        "%s %.1f%%",
                        backend.backend(),
                        100.0
                                * (backend.residentBytes() + backend.reservedBytes() + backend.doomedBytes())
                                / backend.capacityBytes()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
