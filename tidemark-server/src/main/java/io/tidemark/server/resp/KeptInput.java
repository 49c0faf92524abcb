package io.tidemark.server.resp;

import java.nio.ByteBuffer;

/**
 * Input of one connection that was read and not yet run, in order.
 *
 * <p>What is left of one read is always kept. Reading ahead of a client that sends many commands before it reads the
 * first reply is possible up to {@value #MAX_BYTES} bytes, as long as the server's {@link ReadAhead} has room. Confined
 * to the event loop.
 */
final class KeptInput {
    /** Of one connection: some 100,000 short commands. */
    static final int MAX_BYTES = 4 << 20;

    private static final int FIRST_BYTES = 65_536;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ReadAhead account;
    /** What is kept, between position and limit. */
    private ByteBuffer bytes = NOTHING;

    private int accounted;

    KeptInput(ReadAhead account) {
        this.account = account;
    }

    boolean isEmpty() {
        return !bytes.hasRemaining();
    }

    /** What is kept; whoever takes from it moves its position. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Keeps the rest of a read; only while nothing is kept. */
    void keep(ByteBuffer rest) {
        clear();
        if (rest.hasRemaining()) {
            bytes = ByteBuffer.allocate(rest.remaining()).put(rest).flip();
        }
    }

    /** Makes room for a read ahead; how many bytes {@link #append} takes now, none at the limits. */
    int room() {
        if (bytes.limit() < bytes.capacity()) {
            return bytes.capacity() - bytes.limit();
        }
        if (bytes.position() > bytes.capacity() / 2) {
            bytes.compact().flip();
        } else if (bytes.capacity() < MAX_BYTES) {
            grow(Math.clamp(2L * bytes.capacity(), FIRST_BYTES, MAX_BYTES));
        }
        return bytes.capacity() - bytes.limit();
    }

    private void grow(int capacity) {
        int more = capacity - accounted;
        if (account.take(more)) {
            accounted += more;
            bytes = ByteBuffer.allocate(capacity).put(bytes).flip();
        }
    }

    /** Keeps {@code more} behind what is kept already; at most {@link #room()} bytes. */
    void append(ByteBuffer more) {
        int end = bytes.limit();
        bytes.limit(end + more.remaining()).put(end, more, more.position(), more.remaining());
        more.position(more.limit());
    }

    /** Lets go of the memory. What is kept is lost. */
    void clear() {
        bytes = NOTHING;
        account.giveBack(accounted);
        accounted = 0;
    }
}
