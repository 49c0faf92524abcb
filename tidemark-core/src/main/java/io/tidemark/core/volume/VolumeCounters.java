package io.tidemark.core.volume;

import io.tidemark.core.pool.CounterVisitor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the sweeper did, in totals since the start. Labels are bounded: models are the rank directories', reasons ours. */
final class VolumeCounters {
    /** Models told apart; what comes after is counted as {@code other}. */
    private static final int MODELS_MAX = 256;

    /** Files and bytes of one kind of removal. */
    private record Totals(LongAdder files, LongAdder bytes) {}

    /** By model and cause. */
    private final Map<String, Map<RemovalCause, Totals>> removed = new ConcurrentHashMap<>();

    private final Map<String, LongAdder> skipped = new ConcurrentHashMap<>();
    private final LongAdder allFiles = new LongAdder();
    private final LongAdder allBytes = new LongAdder();
    private final LongAdder foldersRemoved = new LongAdder();
    private final LongAdder passes = new LongAdder();

    void removed(String label, RemovalCause cause, long bytes) {
        Map<RemovalCause, Totals> known = removed.get(label);
        Map<RemovalCause, Totals> model = known == null ? newModel(label) : known;
        Totals totals = model.computeIfAbsent(cause, absent -> new Totals(new LongAdder(), new LongAdder()));
        totals.files.increment();
        totals.bytes.add(bytes);
        allFiles.increment();
        allBytes.add(bytes);
    }

    private Map<RemovalCause, Totals> newModel(String model) {
        return removed.computeIfAbsent(
                removed.size() < MODELS_MAX ? model : "other", absent -> new ConcurrentHashMap<>());
    }

    /** Counts a file, directory or name passed over, for a reason such as {@code hot} or {@code eperm}. */
    void skipped(String reason) {
        skipped.computeIfAbsent(reason, absent -> new LongAdder()).increment();
    }

    void folderRemoved() {
        foldersRemoved.increment();
    }

    void passDone() {
        passes.increment();
    }

    long passes() {
        return passes.sum();
    }

    long files() {
        return allFiles.sum();
    }

    long bytes() {
        return allBytes.sum();
    }

    long folders() {
        return foldersRemoved.sum();
    }

    long skips(String reason) {
        LongAdder count = skipped.get(reason);
        return count == null ? 0 : count.sum();
    }

    void counters(CounterVisitor visitor) {
        removed.forEach((model, byCause) -> show(visitor, model, byCause));
        skipped.forEach((reason, count) -> visitor.counter(
                "tidemark_volume_skipped_total",
                "Files and directories passed over, by reason.",
                count.sum(),
                "reason",
                reason));
        visitor.counter("tidemark_volume_removed_folders_total", "Empty folders removed.", foldersRemoved.sum());
        visitor.counter("tidemark_volume_passes_total", "Walks over the whole volume.", passes.sum());
    }

    private static void show(CounterVisitor visitor, String model, Map<RemovalCause, Totals> byCause) {
        byCause.forEach((cause, totals) -> {
            visitor.counter(
                    "tidemark_volume_removed_files_total",
                    "Files removed, by model and reason.",
                    totals.files.sum(),
                    "model",
                    model,
                    "reason",
                    cause.label());
            visitor.counter(
                    "tidemark_volume_removed_bytes_total",
                    "Allocated bytes of files removed, by model and reason.",
                    totals.bytes.sum(),
                    "model",
                    model,
                    "reason",
                    cause.label());
        });
    }
}
