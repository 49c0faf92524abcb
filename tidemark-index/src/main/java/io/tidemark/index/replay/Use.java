package io.tidemark.index.replay;

import java.util.Optional;

/**
 * One use of a block, as a server saw it.
 *
 * @param micros monotonic time from the beginning of the recording
 * @param client number of the connection it came over
 * @param joined whether it belongs to the same batch as the use of this client before it, as the next block of a chain
 * @param key {@link BlockId#NONE} where the use concerns no single block
 * @param parent the block before it in its chain, where the client said so
 * @param bytes size of the value; 0 where nobody knows it
 * @param tail whether the block is the unfinished end of a prompt
 * @param ttlMillis time to live that was set, or {@link #NO_TTL}
 */
public record Use(
        long micros,
        long client,
        UseKind kind,
        boolean joined,
        BlockId key,
        Optional<BlockId> parent,
        long bytes,
        boolean tail,
        long ttlMillis) {
    /** The block lives without end. */
    public static final long NO_TTL = -1;

    public Use {
        if (bytes < 0 || client < 0 || ttlMillis < NO_TTL) {
            throw new IllegalArgumentException("a use of " + bytes + " bytes by client " + client + " with " + ttlMillis
                    + " ms to live; expected none of them below 0");
        }
    }

    /** A use of a block of which no more is known. */
    static Use of(long micros, long client, UseKind kind, BlockId key) {
        return new Use(micros, client, kind, false, key, Optional.empty(), 0, false, NO_TTL);
    }
}
