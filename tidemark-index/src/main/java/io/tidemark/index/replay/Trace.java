package io.tidemark.index.replay;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A recorded stream of requests in flat arrays. Each request is a chain of blocks, root first; blocks are numbered
 * from 0 in the order of their first appearance. Immutable.
 */
public final class Trace {
    /** Prompt tokens in a full block. */
    public static final int TOKENS_PER_BLOCK = 512;
    /** The parent of a block that starts its chain. */
    public static final int NO_BLOCK = -1;

    private final int[] starts;
    private final int[] references;
    private final long[] timestampsMillis;
    private final int[] inputTokens;
    private final int[] parents;
    private final int[] depths;
    private final BitSet incompleteTails;
    private final long[] bytes;
    private final long uniqueBytes;
    private final List<String> remarks;

    Trace(
            int[] starts,
            int[] references,
            long[] timestampsMillis,
            int[] inputTokens,
            int[] parents,
            int[] depths,
            BitSet incompleteTails,
            long[] bytes,
            List<String> remarks) {
        this.starts = starts;
        this.references = references;
        this.timestampsMillis = timestampsMillis;
        this.inputTokens = inputTokens;
        this.parents = parents;
        this.depths = depths;
        this.incompleteTails = incompleteTails;
        this.bytes = bytes;
        this.uniqueBytes = Arrays.stream(bytes).sum();
        this.remarks = List.copyOf(remarks);
    }

    /** What there is to say about the file that was read: what it lacks, what was left out. */
    public List<String> remarks() {
        return remarks;
    }

    /** Number of requests. */
    public int requests() {
        return timestampsMillis.length;
    }

    /** Number of block references, over all requests. */
    public int references() {
        return references.length;
    }

    /** Number of different blocks; their numbers are below it. */
    public int uniqueBlocks() {
        return parents.length;
    }

    /** Position of a request's first reference. */
    public int start(int request) {
        return starts[request];
    }

    /** Position after a request's last reference. */
    public int end(int request) {
        return starts[request + 1];
    }

    /** The block at a position between {@link #start} and {@link #end}. */
    public int block(int position) {
        return references[position];
    }

    /** Whether the sizes of the blocks are known. */
    public boolean hasSizes() {
        return bytes.length > 0;
    }

    /** Size of a block, at least 1 where sizes are known, else 0. */
    public long bytes(int block) {
        return bytes.length == 0 ? 0 : bytes[block];
    }

    /** Sizes of all different blocks; 0 where they are not known. */
    public long uniqueBytes() {
        return uniqueBytes;
    }

    /** When the request arrived, in milliseconds from an arbitrary origin. */
    public long timestampMillis(int request) {
        return timestampsMillis[request];
    }

    /** Tokens of the request's prompt. */
    public int inputTokens(int request) {
        return inputTokens[request];
    }

    /** The block before this one in the request that showed it first, or {@link #NO_BLOCK}. */
    public int parent(int block) {
        return parents[block];
    }

    /** Position in its chain, root = 1. */
    public int depth(int block) {
        return depths[block];
    }

    /** Whether the block was the unfinished end of the prompt that showed it first. */
    public boolean isIncompleteTail(int block) {
        return incompleteTails.get(block);
    }
}
