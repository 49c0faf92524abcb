package io.tidemark.server.resp.protocol;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The bytes a connection still has to send, in order: chunks of encoded replies, and values in place between them.
 *
 * <p>Invariant: {@code pending} is the number of bytes in {@code pieces} and in the unsealed end of the chunk. Chunks
 * are bounded by the server's {@link ReplyMemory}, and beyond that whoever fills the queue looks at
 * {@link #pendingBytes()} before the next reply.
 */
public final class Output implements AutoCloseable {
    private static final ByteBuffer NO_CHUNK = ByteBuffer.allocate(0);

    private record Piece(ByteBuffer bytes, Held held) {}

    private final LoopBuffers buffers;
    private final BooleanSupplier makeRoom;
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private ByteBuffer chunk = NO_CHUNK;
    private int sealed;
    private long pending;

    /**
     * An empty queue.
     *
     * @param makeRoom asked when no chunk is left; true when it made another output of the loop give chunks back
     */
    public Output(LoopBuffers buffers, BooleanSupplier makeRoom) {
        this.buffers = buffers;
        this.makeRoom = makeRoom;
    }

    /** Queues one byte. Throws {@link ReplyMemoryException} when there is no memory for it. */
    public void put(byte value) {
        room().put(value);
        pending++;
    }

    /** Queues a copy of {@code bytes}. Throws {@link ReplyMemoryException} when there is no memory for it. */
    public void put(byte[] bytes) {
        put(ByteBuffer.wrap(bytes));
    }

    /** Queues a copy of what remains in {@code source}. Throws as {@link #put(byte[])}. */
    public void put(ByteBuffer source) {
        while (source.hasRemaining()) {
            ByteBuffer room = room();
            int bytes = Math.min(room.remaining(), source.remaining());
            room.put(source.slice(source.position(), bytes));
            pending += bytes;
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
        if (total > 0) {
            // what waits behind the piece that moves is not stalled either
            pieces.forEach(piece -> piece.held().progressed());
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
        drop();
        return written;
    }

    /** Takes the pieces that have left off the queue. */
    private void drop() {
        while (!pieces.isEmpty() && !pieces.getFirst().bytes().hasRemaining()) {
            pieces.removeFirst().held().close();
        }
    }

    /** Gives the chunk back while there is nothing to send. */
    private void rest() {
        drop();
        if (chunk.capacity() > 0) {
            buffers.giveBack(chunk);
            chunk = NO_CHUNK;
            sealed = 0;
        }
    }

    private ByteBuffer room() {
        if (!chunk.hasRemaining()) {
            ByteBuffer next = newChunk();
            seal();
            retire(chunk);
            chunk = next;
            sealed = 0;
        }
        return chunk;
    }

    private ByteBuffer newChunk() {
        Optional<ByteBuffer> next = buffers.chunk();
        while (next.isEmpty() && makeRoom.getAsBoolean()) {
            next = buffers.chunk();
        }
        return next.orElseThrow(ReplyMemoryException::new);
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
