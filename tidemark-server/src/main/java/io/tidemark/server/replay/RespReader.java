package io.tidemark.server.replay;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads RESP2 replies out of a byte source. Every size a server may name is bounded.
 *
 * <p>Invariant: {@code buffer} is in reading position; the bytes before its position are consumed.
 */
final class RespReader {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int MAX_BULK_BYTES = 16 << 20;
    private static final int MAX_ELEMENTS = 1 << 20;
    private static final int MAX_DEPTH = 8;

    /** Fills the targets in order with at least one byte, or throws. */
    interface Source {
        void receive(ByteBuffer... targets) throws IOException;
    }

    private final Source source;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

    RespReader(Source source) {
        this.source = source;
    }

    Reply read() throws IOException {
        return read(0);
    }

    /** The value's length, or -1 for nil; the first bytes of it go into {@code target}. */
    long readValue(MemorySegment target) throws IOException {
        String line = line();
        if (line.charAt(0) != '$') {
            throw new ServerRefusedException("a read", parse(line, 0));
        }
        long length = number(line, Long.MAX_VALUE);
        if (length >= 0) {
            long wanted = Math.min(length, target.byteSize());
            fill(target.asSlice(0, wanted));
            skip(length - wanted);
            skip(2);
        }
        return length;
    }

    private Reply read(int depth) throws IOException {
        return parse(line(), depth);
    }

    private Reply parse(String line, int depth) throws IOException {
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> new Reply.Status(rest);
            case '-' -> new Reply.Failure(rest);
            case ':' -> new Reply.Int(number(line, Long.MAX_VALUE));
            case '$' -> bulk((int) number(line, MAX_BULK_BYTES));
            case '*' -> many((int) number(line, MAX_ELEMENTS), depth);
            default -> throw new ProtocolException("reply '" + line + "' is not RESP2");
        };
    }

    private Reply bulk(int length) throws IOException {
        if (length < 0) {
            return new Reply.Nil();
        }
        byte[] bytes = new byte[length];
        fill(MemorySegment.ofArray(bytes));
        skip(2);
        return new Reply.Bulk(new String(bytes, StandardCharsets.UTF_8));
    }

    private Reply many(int count, int depth) throws IOException {
        if (count < 0) {
            return new Reply.Nil();
        }
        if (depth == MAX_DEPTH) {
            throw new ProtocolException("reply nested deeper than " + MAX_DEPTH);
        }
        List<Reply> elements = new ArrayList<>(Math.min(count, 1024));
        for (int i = 0; i < count; i++) {
            elements.add(read(depth + 1));
        }
        return new Reply.Many(elements);
    }

    private static long number(String line, long limit) throws IOException {
        try {
            long number = Long.parseLong(line, 1, line.length(), 10);
            if (number <= limit) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw (IOException) new ProtocolException("reply '" + line + "' holds no number").initCause(e);
        }
        throw new ProtocolException("reply '" + line + "' is above the limit of " + limit);
    }

    private String line() throws IOException {
        int from = buffer.position();
        while (true) {
            for (int i = from; i < buffer.limit(); i++) {
                if (buffer.get(i) == '\n') {
                    return take(i);
                }
            }
            from = buffer.limit() - buffer.position();
            more();
        }
    }

    private String take(int newline) throws IOException {
        byte[] bytes = new byte[newline - buffer.position()];
        buffer.get(bytes).get();
        if (bytes.length < 2 || bytes[bytes.length - 1] != '\r') {
            throw new ProtocolException("reply line without its end");
        }
        return new String(bytes, 0, bytes.length - 1, StandardCharsets.UTF_8);
    }

    /** Reads more behind what is buffered, which moves to the front. */
    private void more() throws IOException {
        buffer.compact();
        if (!buffer.hasRemaining()) {
            throw new ProtocolException("reply line longer than " + BUFFER_BYTES + " bytes");
        }
        source.receive(buffer);
        buffer.flip();
    }

    private void fill(MemorySegment target) throws IOException {
        int buffered = (int) Math.min(buffer.remaining(), target.byteSize());
        MemorySegment.copy(MemorySegment.ofBuffer(buffer), 0, target, 0, buffered);
        buffer.position(buffer.position() + buffered);
        if (buffered == target.byteSize()) {
            return;
        }
        ByteBuffer rest = target.asSlice(buffered).asByteBuffer();
        buffer.clear();
        while (rest.hasRemaining()) {
            source.receive(rest, buffer);
        }
        buffer.flip();
    }

    private void skip(long bytes) throws IOException {
        long left = bytes;
        while (left > buffer.remaining()) {
            left -= buffer.remaining();
            buffer.clear();
            source.receive(buffer);
            buffer.flip();
        }
        buffer.position(buffer.position() + (int) left);
    }
}
