package io.tidemark.server.resp.protocol;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The bytes a connection still has to send, in order: chunks of encoded replies, and values in place between them.
 *
 * <p>Invariant: {@code pending} is the number of bytes in {@code pieces} and in the unsealed end of the chunk. The queue
 * itself is unbounded; whoever fills it looks at {@link #pendingBytes()} before the next reply.
 */
public final class Output implements AutoCloseable {
    private static final ByteBuffer NO_CHUNK = ByteBuffer.allocate(0);

    private record Piece(ByteBuffer bytes, Held held) {}

    private final LoopBuffers buffers;
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private ByteBuffer chunk = NO_CHUNK;
    private int sealed;
    private long pending;

    public Output(LoopBuffers buffers) {
        this.buffers = buffers;
    }

    /** Queues one byte. */
    public void put(byte value) {
        room().put(value);
        pending++;
    }

    /** Queues a copy of {@code bytes}. */
    public void put(byte[] bytes) {
        put(ByteBuffer.wrap(bytes));
    }

    /** Queues a copy of what remains in {@code source}. */
    public void put(ByteBuffer source) {
        pending += source.remaining();
        while (source.hasRemaining()) {
            ByteBuffer room = room();
            int bytes = Math.min(room.remaining(), source.remaining());
            room.put(source.slice(source.position(), bytes));
            source.position(source.position() + bytes);
        }
    }

    /** Queues segments in place; {@code held} is closed when they have left or the output is closed. */
    public void attach(List<MemorySegment> segments, Held held) {
        seal();
        int last = segments.size() - 1;
        for (int i = 0; i <= last; i++) {
            ByteBuffer bytes = segments.get(i).asByteBuffer();
            pending += bytes.remaining();
            pieces.add(new Piece(bytes, i == last ? held : new Progress(held)));
        }
        if (segments.isEmpty()) {
            held.close();
        }
    }

    /** Passes on that bytes moved, without ending the hold. */
    private record Progress(Held held) implements Held {
        @Override
        public void progressed() {
            held.progressed();
        }

        @Override
        public void close() {
            held.progressed();
        }
    }

    /** Bytes that have not left yet. */
    public long pendingBytes() {
        return pending;
    }

    /**
     * Writes as much as the channel takes now.
     *
     * @return bytes that left
     */
    public long flush(GatheringByteChannel channel) throws IOException {
        seal();
        long total = 0;
        while (pending > 0) {
            long written = write(channel);
            total += written;
            if (written == 0) {
                break;
            }
        }
        if (pending == 0) {
            rest();
        }
        return total;
    }

    private long write(GatheringByteChannel channel) throws IOException {
        ByteBuffer[] gather = buffers.gather();
        int count = 0;
        for (Piece piece : pieces) {
            if (count == gather.length) {
                break;
            }
            gather[count++] = piece.bytes();
        }
        long written = channel.write(gather, 0, count);
        pending -= written;
        drop(written);
        return written;
    }

    /** Takes the pieces that have left off the queue. */
    private void drop(long written) {
        while (!pieces.isEmpty() && !pieces.getFirst().bytes().hasRemaining()) {
            pieces.removeFirst().held().close();
        }
        if (written > 0 && !pieces.isEmpty()) {
            pieces.getFirst().held().progressed();
        }
    }

    /** Gives the chunk back while there is nothing to send. */
    private void rest() {
        drop(0);
        if (chunk.capacity() > 0) {
            buffers.giveBack(chunk);
            chunk = NO_CHUNK;
            sealed = 0;
        }
    }

    private ByteBuffer room() {
        if (!chunk.hasRemaining()) {
            seal();
            retire(chunk);
            chunk = buffers.chunk();
            sealed = 0;
        }
        return chunk;
    }

    /** Lets a full chunk go back once everything queued before has left. */
    private void retire(ByteBuffer full) {
        if (full.capacity() > 0) {
            pieces.add(new Piece(NO_CHUNK, new Held() {
                @Override
                public void progressed() {}

                @Override
                public void close() {
                    buffers.giveBack(full);
                }
            }));
        }
    }

    /** Moves what was encoded since the last call into the queue. */
    private void seal() {
        int end = chunk.position();
        if (end > sealed) {
            pieces.add(new Piece(chunk.slice(sealed, end - sealed), Held.NOTHING));
            sealed = end;
        }
    }

    /** Drops everything that has not left, and lets go of what is held. */
    @Override
    public void close() {
        pieces.forEach(piece -> piece.held().close());
        pieces.clear();
        pending = 0;
        rest();
    }
}
