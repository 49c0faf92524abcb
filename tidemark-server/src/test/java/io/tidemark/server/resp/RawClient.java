package io.tidemark.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/** A client that sends the bytes it is told to and returns each reply as the bytes it came as. */
final class RawClient implements AutoCloseable {
    private final SocketChannel channel;
    private final DataInputStream in;

    private RawClient(SocketChannel channel) {
        this.channel = channel;
        this.in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), 1 << 16));
    }

    static RawClient tcp(int port) throws IOException {
        return new RawClient(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }

    static RawClient unix(Path path) throws IOException {
        return new RawClient(SocketChannel.open(UnixDomainSocketAddress.of(path)));
    }

    /** Text to bytes, one byte a character. */
    static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /** Bytes that only this key and length have. */
    static byte[] value(String key, int length) {
        byte[] out = new byte[length];
        new Random(key.hashCode() * 31L + length).nextBytes(out);
        return out;
    }

    /** A command as an array of bulk strings. */
    static byte[] encode(byte[]... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bytes("*" + arguments.length + "\r\n"));
        for (byte[] argument : arguments) {
            out.writeBytes(bytes("$" + argument.length + "\r\n"));
            out.writeBytes(argument);
            out.writeBytes(bytes("\r\n"));
        }
        return out.toByteArray();
    }

    static byte[] encode(String... arguments) {
        return encode(Arrays.stream(arguments).map(RawClient::bytes).toArray(byte[][]::new));
    }

    void send(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Sends without waiting for the server to take it. */
    Thread sendInBackground(byte[] bytes) {
        return Thread.ofVirtual().start(() -> {
            try {
                send(bytes);
            } catch (IOException e) {
                // the test has closed the connection
            }
        });
    }

    /** Sends a command and returns its reply. */
    String call(String... arguments) throws IOException {
        send(encode(arguments));
        return reply();
    }

    String set(String key, byte[] value) throws IOException {
        send(encode(bytes("SET"), bytes(key), value));
        return reply();
    }

    byte[] get(String key) throws IOException {
        send(encode("GET", key));
        return value();
    }

    /** The bytes of a bulk string reply. */
    byte[] value() throws IOException {
        String header = line();
        if (!header.startsWith("$") || header.startsWith("$-")) {
            throw new AssertionError("expected a value, got " + header.trim());
        }
        byte[] value = in.readNBytes(Integer.parseInt(header.substring(1).trim()));
        in.skipNBytes(2);
        return value;
    }

    /** The bytes of a bulk string reply, read in pieces with a pause before each. */
    byte[] valueInPieces(int pieces, Duration pause) throws IOException, InterruptedException {
        int length = Integer.parseInt(line().substring(1).trim());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < pieces; i++) {
            Thread.sleep(pause);
            out.writeBytes(in.readNBytes(length / pieces));
        }
        out.writeBytes(in.readNBytes(length % pieces));
        in.skipNBytes(2);
        return out.toByteArray();
    }

    /** Reads until the server closes the connection. */
    void drain() {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // reset by the server: also an end
        }
    }

    /** One whole reply, as it came. */
    String reply() throws IOException {
        String header = line();
        int number = header.matches("[*$%~=>]-?\\d+\r\n")
                ? Integer.parseInt(header.substring(1).trim())
                : 0;
        return switch (header.charAt(0)) {
            case '$', '=' -> number < 0 ? header : header + new String(in.readNBytes(number + 2), ISO_8859_1);
            case '*', '~', '>' -> header + replies(number);
            case '%' -> header + replies(2 * number);
            default -> header;
        };
    }

    private String replies(int count) throws IOException {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < count; i++) {
            out.append(reply());
        }
        return out.toString();
    }

    /** The first line of a reply; the elements of an array are read one by one then. */
    String header() throws IOException {
        return line();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() < 2 || line.charAt(line.length() - 1) != '\n') {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("connection closed after '" + line + "'");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    /** Whether the server has closed the connection; waits for it to speak. */
    boolean closedByServer() {
        try {
            return in.read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Goes away without a word. */
    void die() throws IOException {
        channel.close();
    }

    /** Sends no more, but still reads. */
    void halfClose() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
