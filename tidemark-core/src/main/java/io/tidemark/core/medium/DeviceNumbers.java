package io.tidemark.core.medium;

import java.util.Map;

/**
 * How a medium on a device does, for metrics.
 *
 * @param journalBytes of the current journal that are written
 * @param journalCapacityBytes of one journal; half of it makes an epoch, at whose end a checkpoint is written
 * @param unwrittenRecords that wait to be written to the journal
 * @param ioBuffersInUse of {@code ioBuffers}
 * @param ioErrors failed system calls, by kind: read, write, sync, other
 * @param lostBytes of pages that the file system had no room for when they were written; they are tried again
 */
public record DeviceNumbers(
        long journalBytes,
        long journalCapacityBytes,
        long unwrittenRecords,
        Checkpoints checkpoints,
        int ioBuffersInUse,
        int ioBuffers,
        Map<String, Long> ioErrors,
        long lostBytes) {

    /**
     * Checkpoints that this process wrote while it ran.
     *
     * @param bytes of all of them
     * @param lastNanos how long the last one took; 0 when there was none
     * @param ageNanos since the last one was whole, or since the start
     */
    public record Checkpoints(long count, long bytes, long lastNanos, long ageNanos) {}
}
