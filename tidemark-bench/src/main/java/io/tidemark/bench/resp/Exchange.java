package io.tidemark.bench.resp;

import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.Reply;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** One client of a cell: sends batches of SET or GET and takes the replies, into and out of memory of its own. */
final class Exchange implements AutoCloseable {
    private static final long TIMEOUT_MILLIS = 60_000;
    private static final int TARGET_BYTES = 16 << 20;
    private static final byte[] SET = "SET".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] GET = "GET".getBytes(StandardCharsets.US_ASCII);

    private final Cell cell;
    private final Values values;
    private final RespConnection server;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment target;

    Exchange(Endpoint endpoint, Cell cell, Values values) throws IOException {
        this.cell = cell;
        this.values = values;
        this.server = RespConnection.open(endpoint, 0, TIMEOUT_MILLIS);
        this.target = arena.allocate(Math.max(TARGET_BYTES, cell.valueBytes()), 4096);
    }

    /** Tells a {@link RawServer} what is to come. */
    void sayShape() throws IOException {
        byte[] key = Values.key(0);
        int name = "*3\r\n$3\r\nSET\r\n$18\r\n".length() + key.length + 2;
        int request = cell.put() ? name + ("$" + cell.valueBytes() + "\r\n").length() : name * cell.batch();
        Shape shape = new Shape(cell.put(), cell.batch(), request, cell.valueBytes());
        server.command(1);
        server.argument(shape.argument());
        server.flush();
    }

    /** Runs a share of a measurement over the keys from {@code firstKey} on. */
    void run(long firstKey) throws IOException {
        long key = firstKey;
        for (int i = 0; i < cell.exchanges(); i++) {
            if (cell.put()) {
                put(key);
            } else {
                get(key);
            }
            key += cell.batch();
        }
    }

    /** Whether the last value of this key that was got had its bytes. */
    boolean holds(long key) {
        int place = (int) ((key % places()) * cell.valueBytes());
        MemorySegment expected = values.value(key, cell.valueBytes());
        return target.asSlice(place, cell.valueBytes()).mismatch(expected) < 0;
    }

    Reply call(String... words) throws IOException {
        return server.call(words);
    }

    @Override
    public void close() throws IOException {
        server.close();
        arena.close();
    }

    /** Stores one batch of keys from {@code firstKey} on. */
    void put(long firstKey) throws IOException {
        for (int i = 0; i < cell.batch(); i++) {
            server.command(3);
            server.argument(SET);
            server.argument(Values.key(firstKey + i));
            server.value(values.value(firstKey + i, cell.valueBytes()).asByteBuffer());
        }
        server.flush();
        for (int i = 0; i < cell.batch(); i++) {
            if (!(server.read() instanceof Reply.Status)) {
                throw new IOException("SET was refused");
            }
        }
    }

    private void get(long firstKey) throws IOException {
        for (int i = 0; i < cell.batch(); i++) {
            server.command(2);
            server.argument(GET);
            server.argument(Values.key(firstKey + i));
        }
        server.flush();
        for (int i = 0; i < cell.batch(); i++) {
            long place = (firstKey + i) % places() * cell.valueBytes();
            long length = server.readValue(target.asSlice(place, cell.valueBytes()));
            if (length != cell.valueBytes()) {
                throw new IOException("GET answered a length of " + length + "; expected " + cell.valueBytes());
            }
        }
    }

    private long places() {
        return target.byteSize() / cell.valueBytes();
    }
}
