package io.tidemark.server.replay;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A pipelining RESP2 client over one socket: commands are queued, flushed and answered in order.
 *
 * <p>Every wait for the socket ends after {@code timeoutMillis} without progress. The caller bounds how many replies it
 * leaves unread: they and the commands behind them must fit the socket buffers, else both sides wait for each other.
 * Values are written and read in place: {@link #value} hands out space in the send buffer, {@link #readValue} receives
 * straight into the caller's segment. Not thread-safe.
 */
public final class RespConnection implements AutoCloseable {
    private static final int MIN_SEND_BYTES = 256 * 1024;
    private static final int OVERHEAD_BYTES = 128 * 1024;
    private static final byte[] CRLF = {'\r', '\n'};

    private final Endpoint endpoint;
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey readiness;
    private final long timeoutMillis;
    private final ByteBuffer out;
    private final MemorySegment outSegment;
    private final RespReader reader;

    private RespConnection(Endpoint endpoint, SocketChannel channel, int maxValueBytes, long timeoutMillis)
            throws IOException {
        this.endpoint = endpoint;
        this.channel = channel;
        this.selector = Selector.open();
        this.readiness = channel.register(selector, 0);
        this.timeoutMillis = timeoutMillis;
        this.out = ByteBuffer.allocateDirect(Math.max(MIN_SEND_BYTES, maxValueBytes + OVERHEAD_BYTES));
        this.outSegment = MemorySegment.ofBuffer(out);
        this.reader = new RespReader(this::receive);
    }

    /**
     * Connects, and logs in when the endpoint has a password.
     *
     * @param maxValueBytes longest value that {@link #value} will be asked for
     * @param timeoutMillis longest wait for the connection, and for the socket without progress
     */
    public static RespConnection open(Endpoint endpoint, int maxValueBytes, long timeoutMillis) throws IOException {
        RespConnection connection;
        try {
            connection = new RespConnection(endpoint, endpoint.connect(timeoutMillis), maxValueBytes, timeoutMillis);
        } catch (IOException | java.nio.channels.UnresolvedAddressException e) {
            throw (IOException) new ConnectException("no server at " + endpoint + ": " + reason(e)).initCause(e);
        }
        if (endpoint.password().isPresent()) {
            Reply reply = connection.call("AUTH", endpoint.password().get());
            if (!(reply instanceof Reply.Status)) {
                connection.close();
                throw new ServerRefusedException("AUTH", reply);
            }
        }
        return connection;
    }

    /** Sends one command of text arguments and answers its reply; nothing else may be unread. */
    public Reply call(String... arguments) throws IOException {
        command(arguments.length);
        for (String argument : arguments) {
            argument(argument.getBytes(StandardCharsets.UTF_8));
        }
        flush();
        return read();
    }

    /** Starts a command of so many arguments, its name counted. */
    public void command(int arguments) throws IOException {
        header('*', arguments, 0);
    }

    /** Queues an argument. */
    public void argument(byte[] bytes) throws IOException {
        header('$', bytes.length, bytes.length + CRLF.length);
        out.put(bytes).put(CRLF);
    }

    /** Queues a number as an argument. */
    public void argument(long number) throws IOException {
        argument(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    /** Queues an argument of {@code bytes} bytes and answers the space for it, to be filled before the next call. */
    public MemorySegment value(int bytes) throws IOException {
        header('$', bytes, bytes + CRLF.length);
        MemorySegment space = outSegment.asSlice(out.position(), bytes);
        out.position(out.position() + bytes).put(CRLF);
        return space;
    }

    /** Sends what is queued and then an argument straight out of {@code value}, which is read to its limit. */
    public void value(ByteBuffer value) throws IOException {
        header('$', value.remaining(), 0);
        out.flip();
        send(out, value);
        out.clear().put(CRLF);
    }

    /** Sends what is queued. */
    public void flush() throws IOException {
        out.flip();
        send(out);
        out.clear();
    }

    /** The next reply. */
    public Reply read() throws IOException {
        return reader.read();
    }

    /**
     * The next reply, a value, into {@code target}; what is longer than it is dropped.
     *
     * @return length of the value in bytes as the server said it, or -1 when there is none
     */
    public long readValue(MemorySegment target) throws IOException {
        return reader.readValue(target);
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }

    private void header(char type, int number, int bytesBehind) throws IOException {
        byte[] digits = Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
        int needed = 1 + digits.length + CRLF.length + bytesBehind;
        if (needed > out.remaining()) {
            flush();
        }
        if (needed > out.remaining()) {
            throw new IllegalArgumentException(
                    "argument of " + bytesBehind + " bytes; the send buffer holds " + out.capacity());
        }
        out.put((byte) type).put(digits).put(CRLF);
    }

    private void send(ByteBuffer... parts) throws IOException {
        ByteBuffer last = parts[parts.length - 1];
        while (parts[0].hasRemaining() || last.hasRemaining()) {
            if (written(parts) == 0) {
                await(SelectionKey.OP_WRITE, "take a command");
            }
        }
    }

    private void receive(ByteBuffer... targets) throws IOException {
        while (true) {
            long got = received(targets);
            if (got > 0) {
                return;
            }
            if (got < 0) {
                throw new EOFException(endpoint + " closed the connection");
            }
            await(SelectionKey.OP_READ, "answer");
        }
    }

    private long written(ByteBuffer... parts) throws IOException {
        try {
            return channel.write(parts);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private long received(ByteBuffer... targets) throws IOException {
        try {
            return channel.read(targets);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private IOException lost(IOException e) {
        return new IOException(endpoint + " ended the connection: " + e.getMessage(), e);
    }

    private void await(int operation, String what) throws IOException {
        readiness.interestOps(operation);
        if (selector.select(timeoutMillis) == 0) {
            throw new SocketTimeoutException(endpoint + " did not " + what + " within " + timeoutMillis + " ms");
        }
        selector.selectedKeys().clear();
    }

    private static String reason(Exception e) {
        String message = e.getMessage();
        return message == null ? "unknown host" : message;
    }
}
