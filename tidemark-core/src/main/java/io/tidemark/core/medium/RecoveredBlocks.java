package io.tidemark.core.medium;

import java.util.stream.IntStream;

/** Blocks of an earlier process that have their place, and were not shown to anybody yet. */
record RecoveredBlocks(RecordLog log, SlabPlan plan) {
    /** With fewer blocks a second thread is not worth its start. */
    private static final int BLOCKS_A_LANE = 20_000;
    /** Shown one after the other by one thread: their records lie side by side. */
    private static final int GROUP = 512;

    /** Shows all, about the youngest first, on several threads where they are many; gives their memory back. */
    void show(RecoveredCopies visitor) {
        try (log) {
            int count = plan.blocks().length;
            int lanes = Math.min(Runtime.getRuntime().availableProcessors(), 1 + count / BLOCKS_A_LANE);
            IntStream.range(0, lanes).parallel().forEach(lane -> {
                RecoveredCopies ofThread = visitor.ofThread();
                RecordLog.Row block = log.row();
                for (int end = count - lane * GROUP; end > 0; end -= lanes * GROUP) {
                    show(block, Math.max(0, end - GROUP), end, ofThread);
                }
                ofThread.end();
            });
        }
    }

    private void show(RecordLog.Row block, int from, int to, RecoveredCopies visitor) {
        for (int i = to - 1; i >= from; i--) {
            block.at(plan.blocks()[i]);
            visitor.copy(block.handle(), block.key(), block.generation(), block.lengthBytes());
        }
    }
}
