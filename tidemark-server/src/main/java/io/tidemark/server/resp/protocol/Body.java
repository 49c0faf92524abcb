package io.tidemark.server.resp.protocol;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Where the bytes of one argument go: into memory, or nowhere. */
public final class Body {
    private final ByteBuffer[] targets;
    private final boolean inPlace;
    private long discarded;
    private int current;

    private Body(ByteBuffer[] targets, boolean inPlace, long discarded) {
        this.targets = targets;
        this.inPlace = inPlace;
        this.discarded = discarded;
    }

    /** Fills an array on the heap; for arguments that a command looks at. */
    public static Body into(byte[] target) {
        return new Body(new ByteBuffer[] {ByteBuffer.wrap(target)}, false, 0);
    }

    /** Fills segments in order; a socket may read into them directly. */
    public static Body into(List<MemorySegment> segments) {
        ByteBuffer[] targets =
                segments.stream().map(MemorySegment::asByteBuffer).toArray(ByteBuffer[]::new);
        return new Body(targets, true, 0);
    }

    /** Reads {@code bytes} bytes past, so that the stream stays in step. */
    public static Body discard(long bytes) {
        return new Body(new ByteBuffer[0], false, bytes);
    }

    /** Whether a socket should read straight into {@link #unfilled()}. */
    public boolean inPlace() {
        return inPlace;
    }

    /** The targets that still have room, in order. A reader moves their positions. */
    public ByteBuffer[] unfilled() {
        skipFilled();
        return Arrays.copyOfRange(targets, current, targets.length);
    }

    boolean discards() {
        return discarded > 0;
    }

    boolean complete() {
        skipFilled();
        return current == targets.length && discarded == 0;
    }

    /** Takes what belongs to this body from the front of {@code in}. */
    void take(ByteBuffer in) {
        while (in.hasRemaining() && !complete()) {
            if (discarded > 0) {
                int bytes = (int) Math.min(discarded, in.remaining());
                in.position(in.position() + bytes);
                discarded -= bytes;
            } else {
                copy(in, targets[current]);
            }
        }
    }

    private static void copy(ByteBuffer in, ByteBuffer target) {
        int bytes = Math.min(in.remaining(), target.remaining());
        target.put(in.slice(in.position(), bytes));
        in.position(in.position() + bytes);
    }

    private void skipFilled() {
        while (current < targets.length && !targets[current].hasRemaining()) {
            current++;
        }
    }
}
