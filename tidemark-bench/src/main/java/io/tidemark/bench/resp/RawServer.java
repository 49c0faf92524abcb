package io.tidemark.bench.resp;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The yardstick: moves exactly the bytes of a RESP exchange between a Unix socket and memory, and looks at none of them.
 * A thread a connection, blocking calls, one gathering or scattering call a value; no parsing, no index, no eviction.
 *
 * <p>Runs as a process of its own: {@code RawServer SOCKET}. A connection starts with the {@link Shape} of its exchanges.
 */
public final class RawServer {
    private static final int ARENA_BYTES = 1 << 30;
    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] OK = {'+', 'O', 'K', '\r', '\n'};

    private final MemorySegment arena = Arena.global().allocate(ARENA_BYTES, 4096);
    private final AtomicLong cursor = new AtomicLong();

    private RawServer() {}

    /** Serves until it is killed. */
    public static void main(String[] args) throws IOException {
        RawServer server = new RawServer();
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(Path.of(args[0])));
            while (true) {
                SocketChannel client = listener.accept();
                Thread.ofPlatform().daemon().start(() -> server.serve(client));
            }
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            ByteBuffer hello = ByteBuffer.allocateDirect(Shape.COMMAND_BYTES);
            receive(client, hello);
            Shape shape = Shape.from(hello.flip());
            if (shape.put()) {
                take(client, shape);
            } else {
                give(client, shape);
            }
        } catch (IOException end) {
            return; // the client is done
        }
    }

    private void take(SocketChannel client, Shape shape) throws IOException {
        ByteBuffer request = ByteBuffer.allocateDirect(shape.requestBytes());
        ByteBuffer end = ByteBuffer.allocateDirect(CRLF.length);
        ByteBuffer answer = ByteBuffer.allocateDirect(OK.length * shape.batch());
        for (int i = 0; i < shape.batch(); i++) {
            answer.put(OK);
        }
        while (true) {
            for (int i = 0; i < shape.batch(); i++) {
                receive(client, request.clear(), place(shape.valueBytes()), end.clear());
            }
            send(client, answer.rewind());
        }
    }

    private void give(SocketChannel client, Shape shape) throws IOException {
        ByteBuffer request = ByteBuffer.allocateDirect(shape.requestBytes());
        byte[] header = ("$" + shape.valueBytes() + "\r\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer[] parts = new ByteBuffer[3 * shape.batch()];
        for (int i = 0; i < parts.length; i += 3) {
            parts[i] = ByteBuffer.allocateDirect(header.length).put(header);
            parts[i + 2] = ByteBuffer.allocateDirect(CRLF.length).put(CRLF);
        }
        while (true) {
            receive(client, request.clear());
            for (int i = 0; i < parts.length; i += 3) {
                parts[i].rewind();
                parts[i + 1] = place(shape.valueBytes());
                parts[i + 2].rewind();
            }
            send(client, parts);
        }
    }

    /** The next place in the arena, so that every byte of it is used before any is used again. */
    private ByteBuffer place(int bytes) {
        int places = ARENA_BYTES / bytes;
        return arena.asSlice(cursor.getAndIncrement() % places * bytes, bytes).asByteBuffer();
    }

    private static void receive(SocketChannel client, ByteBuffer... parts) throws IOException {
        while (parts[parts.length - 1].hasRemaining()) {
            if (client.read(parts) < 0) {
                throw new EOFException("client closed");
            }
        }
    }

    private static void send(SocketChannel client, ByteBuffer... parts) throws IOException {
        while (parts[parts.length - 1].hasRemaining()) {
            client.write(parts);
        }
    }
}
