package io.tidemark.core.medium;

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
            visitor.ofThreads(Math.min(processors, 1 + count / BLOCKS_A_LANE)).parallelStream()
                    .forEach(ofThread -> {
                        RecordLog.Row block = log.row();
                        for (int end = count; end > 0; end -= GROUP) {
                            show(block, Math.max(0, end - GROUP), end, ofThread);
                        }
                        ofThread.end();
                    });
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
