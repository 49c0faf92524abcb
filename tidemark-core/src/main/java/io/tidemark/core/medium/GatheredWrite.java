package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Aligned pieces on their way to the slab: what lies side by side there goes in one call, wherever it lies in memory.
 * Owned by one writer.
 */
final class GatheredWrite {
    /** Longer calls gain nothing. */
    private static final long CALL_BYTES_MAX = 1 << 20;

    private final Slab slab;
    private final List<MemorySegment> pieces = new ArrayList<>();
    private long from;
    private long bytes;

    GatheredWrite(Slab slab) {
        this.slab = slab;
    }

    /** Adds a piece; offset, size and address are aligned. May write what came before. */
    void add(long offset, MemorySegment piece) throws IOException {
        long most = Math.min(CALL_BYTES_MAX, slab.gatheredBytesMax());
        if (offset != from + bytes || bytes + piece.byteSize() > most || pieces.size() == Sys.PIECES_MAX) {
            flush();
            from = offset;
        }
        pieces.add(piece);
        bytes += piece.byteSize();
    }

    /** Writes what is left. */
    void flush() throws IOException {
        if (pieces.size() == 1) {
            slab.write(from, pieces.getFirst());
        } else if (!pieces.isEmpty()) {
            slab.write(from, pieces);
        }
        pieces.clear();
        bytes = 0;
    }
}
