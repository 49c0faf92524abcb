package io.tidemark.server.resp.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The direct memory of all replies of a server that have not left yet, in chunks of {@value #CHUNK_BYTES} bytes.
 *
 * <p>Invariant: chunks lent out and chunks kept here are together at most {@code limitBytes / }{@value #CHUNK_BYTES}; a
 * chunk once allocated is never left to the collector, whose time of freeing nobody knows. Any thread may call; the
 * monitor is held for a few instructions, and for one allocation when a chunk is new.
 */
public final class ReplyMemory {
    static final int CHUNK_BYTES = 16_384;

    /** Share of what is free that one connection may take: the fuller the memory, the less for each. */
    private static final int FREE_PER_CONNECTION = 16;

    private final int limit;
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    private int allocated;
    private volatile int lent;

    /** Memory for at most {@code limitBytes} of replies, and for one chunk at least. */
    public ReplyMemory(long limitBytes) {
        limit = Math.clamp(limitBytes / CHUNK_BYTES, 1, Integer.MAX_VALUE);
    }

    /** An empty chunk; nothing when all are lent out. */
    synchronized Optional<ByteBuffer> take() {
        if (lent == limit) {
            return Optional.empty();
        }
        ByteBuffer chunk = free.isEmpty() ? allocate() : free.removeLast().clear();
        lent++;
        return Optional.of(chunk);
    }

    private ByteBuffer allocate() {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        allocated++;
        return chunk;
    }

    synchronized void giveBack(ByteBuffer chunk) {
        if (free.size() == allocated) {
            throw new IllegalStateException("more chunks come back than were lent: " + allocated);
        }
        lent--;
        free.addLast(chunk);
    }

    /** Bytes of replies that one connection may let stand now before it has to wait for its client. */
    public long shareBytes() {
        return (long) (limit - lent) * CHUNK_BYTES / FREE_PER_CONNECTION;
    }

    /** Bytes lent to connections and event loops. */
    public long lentBytes() {
        return (long) lent * CHUNK_BYTES;
    }
}
