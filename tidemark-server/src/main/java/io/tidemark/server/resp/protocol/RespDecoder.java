package io.tidemark.server.resp.protocol;

import io.tidemark.server.resp.protocol.Line.Progress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Decodes requests (arrays of bulk strings, or inline commands) from input that may be cut at any byte.
 *
 * <p>{@link #next} is called until it answers NEED_INPUT. For every argument it first tells the length; the caller then
 * says with {@link #fill} where the bytes go. Whatever the input is, nothing is thrown: malformed input is
 * PROTOCOL_ERROR, after which the stream cannot be trusted and the connection has to be closed.
 *
 * <p>Memory: a line of at most {@value #MAX_INLINE_BYTES} bytes; arguments are the caller's.
 */
public final class RespDecoder {
    /** What the decoder has to tell. */
    public enum Event {
        /** All input is used up. */
        NEED_INPUT,
        /** An argument of {@link #argumentBytes()} bytes follows; {@link #fill} has to be called. */
        ARGUMENT,
        /** The command is complete. */
        COMMAND,
        /** The input is malformed, see {@link #error()}. Answered again on every call. */
        PROTOCOL_ERROR
    }

    private enum State {
        START,
        COUNT,
        INLINE,
        LENGTH,
        BODY,
        BODY_END,
        INLINE_ARGUMENT,
        FAILED
    }

    /** Inline commands are for people and probes: thousands of half lines must not fill the heap. */
    private static final int MAX_INLINE_BYTES = 4_096;

    private static final int MAX_NUMBER_LINE_BYTES = 32;
    private static final Body NOTHING = Body.discard(0);

    private final Line line = new Line();
    private DecoderLimits limits;
    private State state = State.START;
    private Event event = Event.NEED_INPUT;
    private int count;
    private int index;
    private long length;
    private Body body = NOTHING;
    private boolean bodyAsked;
    private boolean crSeen;
    private List<byte[]> inline = List.of();
    private String error = "";

    public RespDecoder(DecoderLimits limits) {
        this.limits = limits;
    }

    /** Sets the bounds for what follows. */
    public void limits(DecoderLimits bounds) {
        limits = bounds;
    }

    /** Number of arguments of the command under way, the name included. */
    public int argumentCount() {
        return count;
    }

    /** Index of the argument under way, the name being 0. */
    public int argumentIndex() {
        return index;
    }

    /** Length of the argument under way in bytes. */
    public long argumentBytes() {
        return length;
    }

    /** What was wrong, in Redis's words, without {@code -ERR}. */
    public String error() {
        return error;
    }

    /** Whether a command has begun, if only with a part of its first line, whose rest is still to come. */
    public boolean midCommand() {
        return state != State.START && state != State.FAILED;
    }

    /** The argument body that the socket should now read straight into, if there is one. */
    public Optional<Body> landing() {
        return state == State.BODY && !bodyAsked && body.inPlace() ? Optional.of(body) : Optional.empty();
    }

    /** Whether an argument is being read past, so that input may as well be read in large pieces. */
    public boolean skipping() {
        return state == State.BODY && body.discards();
    }

    /** Says where the argument just told goes. Its room has to be exactly {@link #argumentBytes()}. */
    public void fill(Body target) {
        if (!bodyAsked) {
            throw new IllegalStateException("fill() without an ARGUMENT event");
        }
        bodyAsked = false;
        body = target;
    }

    /** Goes on with {@code in} to the next event. */
    public Event next(ByteBuffer in) {
        if (bodyAsked) {
            throw new IllegalStateException("next() before fill()");
        }
        event = Event.NEED_INPUT;
        while (advance(in)) {
            // each step moves the state on
        }
        return event;
    }

    /** One step. False when the input is used up or there is an event to tell. */
    private boolean advance(ByteBuffer in) {
        return switch (state) {
            case START -> start(in);
            case COUNT -> count(in);
            case INLINE -> inline(in);
            case LENGTH -> length(in);
            case BODY -> body(in);
            case BODY_END -> bodyEnd(in);
            case INLINE_ARGUMENT -> inlineArgument();
            case FAILED -> tell(Event.PROTOCOL_ERROR);
        };
    }

    private boolean start(ByteBuffer in) {
        if (!in.hasRemaining()) {
            return false;
        }
        state = in.get(in.position()) == '*' ? State.COUNT : State.INLINE;
        return true;
    }

    private boolean count(ByteBuffer in) {
        Progress progress = line.collect(in, MAX_NUMBER_LINE_BYTES);
        if (progress != Progress.COMPLETE) {
            return progress == Progress.TOO_LONG && fail("too big mbulk count string");
        }
        long number = line.endsInCr() ? line.number(1) : Numbers.NOT_A_NUMBER;
        line.clear();
        if (number == Numbers.NOT_A_NUMBER) {
            return fail("invalid multibulk length");
        }
        if (number > limits.maxArguments()) {
            return fail((limits.kind().isEmpty() ? "invalid " : limits.kind()) + "multibulk length");
        }
        begin((int) Math.max(number, 0), State.LENGTH);
        return true;
    }

    /** Begins a command; one without arguments is skipped, as Redis does. */
    private void begin(int arguments, State first) {
        count = arguments;
        index = 0;
        state = arguments == 0 ? State.START : first;
    }

    private boolean length(ByteBuffer in) {
        Progress progress = line.collect(in, MAX_NUMBER_LINE_BYTES);
        if (progress != Progress.COMPLETE) {
            return progress == Progress.TOO_LONG && fail("too big bulk count string");
        }
        byte kind = line.first();
        length = line.endsInCr() ? line.number(1) : Numbers.NOT_A_NUMBER;
        line.clear();
        if (kind != '$') {
            return fail("expected '$', got '" + printable(kind) + "'");
        }
        if (length < 0) {
            return fail("invalid bulk length");
        }
        if (length > limits.maxArgumentBytes()) {
            return fail((limits.kind().isEmpty() ? "invalid " : limits.kind()) + "bulk length");
        }
        return askForBody(State.BODY);
    }

    private boolean askForBody(State next) {
        state = next;
        bodyAsked = true;
        return tell(Event.ARGUMENT);
    }

    private boolean body(ByteBuffer in) {
        body.take(in);
        if (!body.complete()) {
            return false;
        }
        body = NOTHING;
        crSeen = false;
        state = State.BODY_END;
        return true;
    }

    private boolean bodyEnd(ByteBuffer in) {
        while (in.hasRemaining()) {
            byte next = in.get();
            if (next != (crSeen ? '\n' : '\r')) {
                return fail("expected CRLF after a bulk string, got '" + printable(next) + "'");
            }
            if (crSeen) {
                return argumentDone(State.LENGTH);
            }
            crSeen = true;
        }
        return false;
    }

    private boolean argumentDone(State next) {
        index++;
        if (index < count) {
            state = next;
            return true;
        }
        state = State.START;
        return tell(Event.COMMAND);
    }

    private boolean inline(ByteBuffer in) {
        Progress progress = line.collect(in, MAX_INLINE_BYTES);
        if (progress != Progress.COMPLETE) {
            return progress == Progress.TOO_LONG && fail("too big inline request");
        }
        Optional<List<byte[]>> words = InlineSplitter.split(line.content());
        line.clear();
        if (words.isEmpty()) {
            return fail("unbalanced quotes in request");
        }
        inline = words.get();
        if (inline.size() > limits.maxArguments()) {
            return fail(limits.kind() + "multibulk length");
        }
        begin(inline.size(), State.INLINE_ARGUMENT);
        return true;
    }

    /** Asks for the body of an inline word, and copies the word when it is given. */
    private boolean inlineArgument() {
        byte[] word = inline.get(index);
        if (body == NOTHING) {
            length = word.length;
            return askForBody(State.INLINE_ARGUMENT);
        }
        body.take(ByteBuffer.wrap(word));
        body = NOTHING;
        return argumentDone(State.INLINE_ARGUMENT);
    }

    private boolean tell(Event what) {
        event = what;
        return false;
    }

    private boolean fail(String what) {
        error = "Protocol error: " + what;
        state = State.FAILED;
        body = NOTHING;
        inline = List.of();
        return true;
    }

    private static char printable(byte value) {
        return value >= ' ' && value < 0x7f ? (char) value : '?';
    }
}
