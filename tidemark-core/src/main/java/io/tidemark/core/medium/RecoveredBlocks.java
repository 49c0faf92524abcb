package io.tidemark.core.medium;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Blocks of an earlier process that have their place, and were not shown to anybody yet. */
record RecoveredBlocks(RecordLog log, SlabPlan plan) {
    /** With fewer blocks a second thread is not worth its start. */
    private static final int BLOCKS_A_LANE = 20_000;
    /** Threads at most: each looks at every record. */
    private static final int LANES_MAX = 4;
    /** Shown by one call, which is a method of its own so that it is compiled soon. */
    private static final int GROUP = 512;

    /** Shows all, the youngest first, on several threads where they are many; gives their memory back. */
    void show(RecoveredCopies visitor) {
        try (log) {
            int count = plan.blocks().length;
            int processors = Math.min(LANES_MAX, Runtime.getRuntime().availableProcessors());
            int most = Math.min(processors, 1 + count / BLOCKS_A_LANE);
            AtomicInteger[] left = visitor.shares(most).stream()
                    .map(_ -> new AtomicInteger(count))
                    .toArray(AtomicInteger[]::new);
            IntStream.range(0, left.length).parallel().forEach(thread -> show(visitor.shares(most), left, thread));
        }
    }

    /** What a thread shows: its own share, then what the others have left of theirs, which may have had less of a processor. */
    private void show(List<RecoveredCopies> shares, AtomicInteger[] left, int thread) {
        RecordLog.Row block = log.row();
        for (int turn = 0; turn < left.length; turn++) {
            int share = (thread + turn) % left.length;
            RecoveredCopies visitor = shares.get(share);
            for (int end = left[share].getAndAdd(-GROUP); end > 0; end = left[share].getAndAdd(-GROUP)) {
                show(block, Math.max(0, end - GROUP), end, visitor);
            }
            visitor.end();
        }
    }

    private void show(RecordLog.Row block, int from, int to, RecoveredCopies visitor) {
        for (int i = to - 1; i >= from; i--) {
            block.at(plan.blocks()[i]);
            visitor.copy(
                    block.handle(),
                    block.window(),
                    block.keyAt(),
                    block.keyBytes(),
                    block.generation(),
                    block.lengthBytes());
        }
    }
}
