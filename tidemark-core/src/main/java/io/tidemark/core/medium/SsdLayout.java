package io.tidemark.core.medium;

/**
 * How the capacity of an SSD medium is divided: two journals, two checkpoints, and the slab in what remains. At 64 MiB
 * and more the first four take 4.5 %: room for a record of about 70 bytes for every page of 4 KiB.
 */
record SsdLayout(long journalBytes, long checkpointBytes, int slabPages) {
    private static final long JOURNAL_BYTES_MIN = 256 << 10;
    /** Half of it makes an epoch; a start reads all of two, and keeps their records in memory meanwhile. */
    private static final long JOURNAL_BYTES_MAX = 128 << 20;

    private static final long CHECKPOINT_BYTES_MIN = 256 << 10;
    private static final long FILE_PAGE_BYTES = 4096;
    /** What the file system keeps beside the blocks of the files: the lock file and the directory. */
    private static final long SLACK_BYTES = 64 << 10;

    /** Bytes that the records of all blocks may take: what a checkpoint holds beside its frames. */
    long recordBytesMax() {
        return checkpointBytes * 15 / 16;
    }

    static SsdLayout of(long capacityBytes, int pageBytes) {
        long journal = pages(Math.clamp(capacityBytes / 200, JOURNAL_BYTES_MIN, JOURNAL_BYTES_MAX));
        long checkpoint = pages(Math.max(capacityBytes * 7 / 400, CHECKPOINT_BYTES_MIN));
        long slab = capacityBytes - 2 * journal - 2 * checkpoint - SLACK_BYTES;
        return new SsdLayout(journal, checkpoint, (int) (slab / pageBytes));
    }

    private static long pages(long bytes) {
        return bytes / FILE_PAGE_BYTES * FILE_PAGE_BYTES;
    }
}
