package io.tidemark.index.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Collects requests into a {@link Trace}. Blocks arrive numbered in the order of their first appearance. */
final class TraceBuilder {
    private int[] starts = new int[1024];
    private int[] references = new int[1 << 16];
    private long[] timestampsMillis = new long[1024];
    private int[] inputTokens = new int[1024];
    private int[] parents = new int[1 << 14];
    private int[] depths = new int[1 << 14];
    private long[] bytes = new long[1 << 14];
    private int sizedBlocks;
    private final BitSet incompleteTails = new BitSet();
    private final List<String> remarks = new ArrayList<>();
    private int requestCount;
    private int referenceCount;
    private int blockCount;

    /** Appends a block to the request that is being collected. */
    void reference(int block) {
        if (referenceCount == references.length) {
            references = Arrays.copyOf(references, longer(referenceCount));
        }
        int start = starts[requestCount];
        if (block == blockCount) {
            describe(block, referenceCount == start ? Trace.NO_BLOCK : references[referenceCount - 1]);
        }
        references[referenceCount++] = block;
    }

    /** Ends the request; its last block is an incomplete tail when it is new and the prompt does not fill it. */
    void endRequest(long timestampMillis, int tokens, int firstNewBlock) {
        int length = referenceCount - starts[requestCount];
        boolean unfilled = (long) length * Trace.TOKENS_PER_BLOCK > tokens;
        if (length > 0 && unfilled && references[referenceCount - 1] >= firstNewBlock) {
            incompleteTails.set(references[referenceCount - 1]);
        }
        if (requestCount + 1 == starts.length) {
            starts = Arrays.copyOf(starts, longer(starts.length));
            timestampsMillis = Arrays.copyOf(timestampsMillis, starts.length);
            inputTokens = Arrays.copyOf(inputTokens, starts.length);
        }
        timestampsMillis[requestCount] = timestampMillis;
        inputTokens[requestCount] = tokens;
        starts[++requestCount] = referenceCount;
    }

    /** The size of a block that was referred to; the largest counts where there are several, and 0 says nothing. */
    void size(int block, long size) {
        sizedBlocks += bytes[block] == 0 && size > 0 ? 1 : 0;
        bytes[block] = Math.max(bytes[block], size);
    }

    /** Blocks seen so far; the number of the next new one. */
    int blocks() {
        return blockCount;
    }

    /** Something that who uses the trace has to know. */
    void remark(String text) {
        remarks.add(text);
    }

    Trace build() {
        return new Trace(
                Arrays.copyOf(starts, requestCount + 1),
                Arrays.copyOf(references, referenceCount),
                Arrays.copyOf(timestampsMillis, requestCount),
                Arrays.copyOf(inputTokens, requestCount),
                Arrays.copyOf(parents, blockCount),
                Arrays.copyOf(depths, blockCount),
                incompleteTails,
                sizes(),
                remarks);
    }

    /** Sizes of all blocks, those without one as large as the average; none when no block has one. */
    private long[] sizes() {
        if (sizedBlocks == 0) {
            return new long[0];
        }
        long[] sizes = Arrays.copyOf(bytes, blockCount);
        long average = Math.max(1, Arrays.stream(sizes).sum() / sizedBlocks);
        for (int block = 0; block < blockCount; block++) {
            sizes[block] = sizes[block] == 0 ? average : sizes[block];
        }
        if (sizedBlocks < blockCount) {
            remark((blockCount - sizedBlocks) + " of " + blockCount + " blocks have no size; they count as " + average
                    + " bytes, the average of the others");
        }
        return sizes;
    }

    private void describe(int block, int parent) {
        if (block == parents.length) {
            parents = Arrays.copyOf(parents, longer(block));
            depths = Arrays.copyOf(depths, parents.length);
            bytes = Arrays.copyOf(bytes, parents.length);
        }
        parents[block] = parent;
        depths[block] = parent == Trace.NO_BLOCK ? 1 : depths[parent] + 1;
        blockCount++;
    }

    private static int longer(int length) {
        return length + (length >> 1);
    }
}
