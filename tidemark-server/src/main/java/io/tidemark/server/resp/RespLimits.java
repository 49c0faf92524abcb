package io.tidemark.server.resp;

/**
 * Bounds of the protocol server.
 *
 * @param maxValueBytes largest value accepted; a larger one is read past and answered with an error
 * @param onFull what a write does when the pool is full
 * @param fullWaitMillis longest wait for space under {@link OnFull#WAIT}
 * @param stallMillis a connection that takes none of its replies, or stops within a command, for so long is closed
 * @param idleMillis a connection without a command for so long is closed; 0 keeps it for ever
 * @param maxConnections connections at once; further ones are told so and closed
 * @param replyBytes direct memory of all replies that have not left; when it is used up, clients that do not read are
 *     closed
 * @param readAheadBytes heap of all commands that were read before the replies before them have left
 */
public record RespLimits(
        long maxValueBytes,
        OnFull onFull,
        long fullWaitMillis,
        long stallMillis,
        long idleMillis,
        int maxConnections,
        long replyBytes,
        long readAheadBytes) {
    /** Values to 64 MiB; 200 ms for space; 30 s for a stalled client; 10,000 connections; 64 MiB either way. */
    public static final RespLimits DEFAULT =
            new RespLimits(64L << 20, OnFull.WAIT, 200, 30_000, 0, 10_000, 64L << 20, 64L << 20);

    private static final long MIN_REPLY_BYTES = 1 << 20;

    public RespLimits {
        require(maxValueBytes > 0 && maxValueBytes <= MAX_VALUE_BYTES, "maxValueBytes", maxValueBytes);
        require(fullWaitMillis >= 0, "fullWaitMillis", fullWaitMillis);
        require(stallMillis > 0, "stallMillis", stallMillis);
        require(idleMillis >= 0, "idleMillis", idleMillis);
        require(maxConnections > 0, "maxConnections", maxConnections);
        require(replyBytes >= MIN_REPLY_BYTES, "replyBytes", replyBytes);
        require(readAheadBytes >= 0, "readAheadBytes", readAheadBytes);
    }

    /** What Redis clients may send at most in one string. */
    static final long MAX_VALUE_BYTES = 512L << 20;

    private static void require(boolean holds, String name, long value) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is out of range: " + value);
        }
    }
}
