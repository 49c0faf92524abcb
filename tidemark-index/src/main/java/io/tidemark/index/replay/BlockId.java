package io.tidemark.index.replay;

/** 128 bits that stand for the key of a block. */
public record BlockId(long high, long low) {
    /** Of no block. */
    public static final BlockId NONE = new BlockId(0, 0);
}
