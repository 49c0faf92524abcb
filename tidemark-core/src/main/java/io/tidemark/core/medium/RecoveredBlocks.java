package io.tidemark.core.medium;

import java.util.stream.IntStream;

/** Blocks of an earlier process that have their place, and were not shown to anybody yet. */
record RecoveredBlocks(RecordLog log, SlabPlan plan) {
    /** With fewer blocks a second thread is not worth its start. */
    private static final int BLOCKS_A_LANE = 20_000;

    /** Shows all, the youngest first, on several threads where they are many; gives their memory back. */
    void show(RecoveredCopies visitor) {
        try (log) {
            long[] blocks = plan.blocks();
            int lanes = Math.min(Runtime.getRuntime().availableProcessors(), 1 + blocks.length / BLOCKS_A_LANE);
            IntStream.range(0, lanes).parallel().forEach(lane -> {
                RecordLog.Row block = log.row();
                for (int i = blocks.length - 1 - lane; i >= 0; i -= lanes) {
                    block.at(blocks[i]);
                    visitor.copy(block.handle(), block.key(), block.generation(), block.lengthBytes());
                }
            });
        }
    }
}
