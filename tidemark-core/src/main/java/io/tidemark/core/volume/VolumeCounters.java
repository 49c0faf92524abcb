package io.tidemark.core.volume;

import io.tidemark.core.pool.CounterVisitor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the sweeper did, in totals since the start. Labels are bounded: models are the rank directories', reasons ours. */
final class VolumeCounters {
    /** Models told apart; what comes after is counted as {@code other}. */
    private static final int MODELS_MAX = 256;

    private record Removal(String model, RemovalCause cause) {}

    private final Map<Removal, LongAdder> removedFiles = new ConcurrentHashMap<>();
    private final Map<Removal, LongAdder> removedBytes = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> skipped = new ConcurrentHashMap<>();
    private final LongAdder allFiles = new LongAdder();
    private final LongAdder allBytes = new LongAdder();
    private final LongAdder foldersRemoved = new LongAdder();
    private final LongAdder passes = new LongAdder();

    void removed(RankDir rank, RemovalCause cause, long bytes) {
        boolean room = removedFiles.size() < MODELS_MAX * RemovalCause.values().length;
        Removal known = new Removal(rank.modelLabel(), cause);
        Removal key = room || removedFiles.containsKey(known) ? known : new Removal("other", cause);
        removedFiles.computeIfAbsent(key, absent -> new LongAdder()).increment();
        removedBytes.computeIfAbsent(key, absent -> new LongAdder()).add(bytes);
        allFiles.increment();
        allBytes.add(bytes);
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
        removedFiles.forEach((removal, count) -> visitor.counter(
                "tidemark_volume_removed_files_total",
                "Files removed, by model and reason.",
                count.sum(),
                "model",
                removal.model(),
                "reason",
                removal.cause().label()));
        removedBytes.forEach((removal, count) -> visitor.counter(
                "tidemark_volume_removed_bytes_total",
                "Allocated bytes of files removed, by model and reason.",
                count.sum(),
                "model",
                removal.model(),
                "reason",
                removal.cause().label()));
        skipped.forEach((reason, count) -> visitor.counter(
                "tidemark_volume_skipped_total",
                "Files and directories passed over, by reason.",
                count.sum(),
                "reason",
                reason));
        visitor.counter("tidemark_volume_removed_folders_total", "Empty folders removed.", foldersRemoved.sum());
        visitor.counter("tidemark_volume_passes_total", "Walks over the whole volume.", passes.sum());
    }
}
