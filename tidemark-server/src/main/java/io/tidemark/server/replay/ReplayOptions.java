package io.tidemark.server.replay;

/**
 * How to replay.
 *
 * @param endpoint the server
 * @param blockBytes length of every block's value, 8 bytes to 64 MiB
 * @param clients connections that take requests in turn
 */
public record ReplayOptions(Endpoint endpoint, int blockBytes, int clients, Pace pace) {
    private static final int MIN_BLOCK_BYTES = 8;
    private static final int MAX_BLOCK_BYTES = 64 << 20;
    private static final int MAX_CLIENTS = 1024;

    /** Refuses sizes out of range. */
    public ReplayOptions {
        if (blockBytes < MIN_BLOCK_BYTES || blockBytes > MAX_BLOCK_BYTES) {
            throw new IllegalArgumentException("blocks of " + blockBytes + " bytes; expected 8 bytes to 64 MiB");
        }
        if (clients < 1 || clients > MAX_CLIENTS) {
            throw new IllegalArgumentException(clients + " clients; expected 1 to " + MAX_CLIENTS);
        }
    }
}
