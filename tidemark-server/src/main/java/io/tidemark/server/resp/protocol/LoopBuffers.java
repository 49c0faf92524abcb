package io.tidemark.server.resp.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Direct buffers that one event loop lends to its connections, so that an idle connection holds none.
 *
 * <p>Chunks of replies come from the server's {@link ReplyMemory}; up to {@value #MAX_FREE} stay with the loop between
 * two uses, so that short replies do not meet in its monitor.
 */
public final class LoopBuffers {
    /** Bytes that a read between commands takes at most; what of a value comes with it is copied once. */
    private static final int READ_BYTES = 16_384;

    /** The same where a value in place is likely to follow: enough for its command, so that little is copied. */
    private static final int SHORT_READ_BYTES = 1_024;

    /** Bytes that a read takes at most while a value is being read past. */
    private static final int SKIP_BYTES = 262_144;

    private static final int MAX_FREE = 8;
    private static final int GATHER = 64;

    private final ByteBuffer skip = ByteBuffer.allocateDirect(SKIP_BYTES);
    private final ByteBuffer read = skip.slice(0, READ_BYTES);
    private final ByteBuffer[] gather = new ByteBuffer[GATHER];
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    private final ReplyMemory memory;

    public LoopBuffers(ReplyMemory memory) {
        this.memory = memory;
    }

    /** The buffer to read commands into, empty. Valid until the next call. */
    public ByteBuffer read() {
        return read.clear();
    }

    /** As {@link #read()}, but short: for a client that sends large values. */
    public ByteBuffer shortRead() {
        return read.clear().limit(SHORT_READ_BYTES);
    }

    /** A large buffer to read into what will be thrown away, empty; shares its bytes with {@link #read()}. */
    public ByteBuffer skip() {
        return skip.clear();
    }

    /** Scratch for one gathering write. */
    ByteBuffer[] gather() {
        return gather;
    }

    /** An empty chunk for replies; nothing when the server has none left. */
    Optional<ByteBuffer> chunk() {
        return free.isEmpty() ? memory.take() : Optional.of(free.removeLast().clear());
    }

    void giveBack(ByteBuffer chunk) {
        if (free.size() < MAX_FREE) {
            free.addLast(chunk);
        } else {
            memory.giveBack(chunk);
        }
    }

    /** Bytes of replies that one connection may let stand now before it has to wait for its client. */
    public long shareBytes() {
        return memory.shareBytes();
    }

    /** Gives the chunks of the loop back to the server; at its end. */
    public void close() {
        free.forEach(memory::giveBack);
        free.clear();
    }
}
