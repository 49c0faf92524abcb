package io.tidemark.server.resp.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/** Encodes replies in RESP2 or RESP3 into an {@link Output}. An aggregate's header is followed by its elements. */
public final class ReplyWriter {
    private static final byte[] CRLF = {'\r', '\n'};

    private final Output output;
    private int version = 2;

    public ReplyWriter(Output output) {
        this.output = output;
    }

    /** Bytes queued for the client that have not left, of this reply and those before. */
    public long pendingBytes() {
        return output.pendingBytes();
    }

    /** The protocol version in use, 2 or 3. */
    public int version() {
        return version;
    }

    /** Sets the protocol version of what follows, 2 or 3. */
    public void version(int number) {
        version = number;
    }

    /** A status such as {@code OK}; holds no line break. */
    public void simple(String text) {
        line('+', text);
    }

    /** An error: a word in capitals, then text. Line breaks become blanks. */
    public void error(String text) {
        line('-', text.replace('\r', ' ').replace('\n', ' '));
    }

    /** An integer. */
    public void integer(long value) {
        header(':', value);
    }

    /** A string. */
    public void bulk(String text) {
        bulk(text.getBytes(UTF_8));
    }

    /** A string of bytes. */
    public void bulk(byte[] bytes) {
        header('$', bytes.length);
        output.put(bytes);
        output.put(CRLF);
    }

    /** A value that leaves in place; {@code held} is closed when it has. */
    public void bulkInPlace(long bytes, List<MemorySegment> segments, Held held) {
        header('$', bytes);
        output.attach(segments, held);
        output.put(CRLF);
    }

    /** A value that is copied out at once. */
    public void bulkCopy(long bytes, List<MemorySegment> segments) {
        header('$', bytes);
        for (MemorySegment segment : segments) {
            ByteBuffer view = segment.asByteBuffer();
            output.put(view);
        }
        output.put(CRLF);
    }

    /** Text for people: a verbatim string in RESP3. */
    public void text(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        if (version == 2) {
            bulk(bytes);
            return;
        }
        header('=', bytes.length + 4L);
        output.put(new byte[] {'t', 'x', 't', ':'});
        output.put(bytes);
        output.put(CRLF);
    }

    /** No value. */
    public void nil() {
        output.put((version == 2 ? "$-1\r\n" : "_\r\n").getBytes(UTF_8));
    }

    /** Header of an array of {@code size} elements. */
    public void array(int size) {
        header('*', size);
    }

    /** Header of a map of {@code size} pairs; an array of keys and values in RESP2. */
    public void map(int size) {
        header(version == 2 ? '*' : '%', version == 2 ? 2L * size : size);
    }

    /** Header of a set of {@code size} elements; an array in RESP2. */
    public void set(int size) {
        header(version == 2 ? '*' : '~', size);
    }

    private void line(char kind, String text) {
        output.put((byte) kind);
        output.put(text.getBytes(UTF_8));
        output.put(CRLF);
    }

    private void header(char kind, long number) {
        output.put((byte) kind);
        if (number >= 0 && number < 10) {
            output.put((byte) ('0' + number));
        } else {
            output.put(Long.toString(number).getBytes(UTF_8));
        }
        output.put(CRLF);
    }
}
