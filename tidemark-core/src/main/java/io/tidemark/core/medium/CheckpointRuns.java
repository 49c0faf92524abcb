package io.tidemark.core.medium;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * Writes the checkpoint that a journal wants, in no hurry while the journal has room, and remembers how that went. One thread;
 * what others read is volatile.
 */
final class CheckpointRuns {
    /** Checkpoints are written at 128 MiB/s at most while the journal has room. */
    private static final long NANOS_A_MIB = TimeUnit.SECONDS.toNanos(1) / 128;

    private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long PAUSE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(SsdKeeper.FLUSH_AFTER_MILLIS);

    /** Checkpoints so far, and when the last one was whole. */
    private record Wrote(long count, long bytes, long lastNanos, long atNanos) {
        Wrote with(long more, long fromNanos, long toNanos) {
            return new Wrote(count + 1, bytes + more, toNanos - fromNanos, toNanos);
        }
    }

    private final Checkpointer checkpointer;
    private final RecordedAgain recordedAgain;
    private final LongPredicate alive;
    private final IoErrors errors;
    private final Waits waits;
    private volatile Wrote numbers;

    /**
     * Runs of a checkpointer.
     *
     * @param recordedAgain is told what a checkpoint merged
     * @param alive tells which handles still name a block
     */
    CheckpointRuns(
            Checkpointer checkpointer, RecordedAgain recordedAgain, LongPredicate alive, IoErrors errors, Waits waits) {
        this.checkpointer = checkpointer;
        this.recordedAgain = recordedAgain;
        this.alive = alive;
        this.errors = errors;
        this.waits = waits;
        numbers = new Wrote(0, 0, 0, waits.nanoTime());
    }

    /**
     * Writes the checkpoint of the journal's epoch.
     *
     * @param between run between two frames: whatever must not wait for a whole checkpoint
     * @param pause waits so many milliseconds: what else reads the device is let pass
     */
    void write(Journal journal, Runnable between, LongConsumer pause) throws IOException {
        long epoch = journal.epoch();
        long merged = journal.lastBefore();
        long begun = waits.nanoTime();
        try {
            long bytes = checkpointer.advanceTo(epoch, alive, written -> {
                between.run();
                rest(journal, begun, written, pause);
            });
            journal.checkpointed(epoch);
            numbers = numbers.with(bytes, begun, waits.nanoTime());
        } catch (IOException | RuntimeException | Error e) {
            if (e instanceof SysException failed) {
                errors.count(failed);
            }
            journal.checkpointFailed(String.valueOf(e.getMessage()));
            throw e;
        }
        recordedAgain.merged(merged);
    }

    private void rest(Journal journal, long begunNanos, long written, LongConsumer pause) {
        boolean hurries = journal.filledBytes() > journal.capacityBytes() * 3 / 4;
        long aheadNanos = begunNanos + written * NANOS_A_MIB / (1 << 20) - waits.nanoTime();
        if (!hurries && aheadNanos > PAUSE_NANOS_MIN) {
            pause.accept(TimeUnit.NANOSECONDS.toMillis(Math.min(aheadNanos, PAUSE_NANOS_MAX)));
        }
    }

    /** How they went so far. */
    DeviceNumbers.Checkpoints numbers() {
        Wrote now = numbers;
        return new DeviceNumbers.Checkpoints(now.count, now.bytes, now.lastNanos, waits.nanoTime() - now.atNanos);
    }
}
