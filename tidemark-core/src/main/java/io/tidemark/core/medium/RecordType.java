package io.tidemark.core.medium;

/** First byte of a record in journal and checkpoint. */
final class RecordType {
    /** A block, see {@link BlockRecord}. */
    static final byte PUT = 1;
    /** The end of a block: its handle, 8 bytes. */
    static final byte GONE = 2;
    /** The end of a checkpoint: the number of its blocks, 8 bytes. */
    static final byte END = 3;

    static final int GONE_BYTES = 9;

    private RecordType() {}
}
