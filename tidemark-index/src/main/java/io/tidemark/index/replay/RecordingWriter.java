package io.tidemark.index.replay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Writes uses to one file of a recording, about 25 bytes each. Nothing is complete before {@link #flush}; what was flushed
 * outlives the process. Not thread-safe.
 */
public final class RecordingWriter implements AutoCloseable {
    /** Size of a file that holds no use. */
    public static final int EMPTY_BYTES = RecordingFormat.HEADER_BYTES;

    private static final int BUFFER_BYTES = 1 << 16;
    /** Of the longest use. */
    private static final int MOST_BYTES = 80;

    private final OutputStream out;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long lastMicros;
    private long bytes;
    /** Whether a flush has failed: what it wrote of the buffer is not known. */
    private boolean torn;

    /**
     * Begins a file.
     *
     * @param recording the same for all files of a recording, and for no other one
     * @param part which file of the recording it is, from 0
     * @param wallMillis wall clock at the beginning of this file
     * @param micros monotonic time of it, from the beginning of the recording
     */
    public RecordingWriter(OutputStream out, BlockId recording, int part, long wallMillis, long micros) {
        this.out = out;
        lastMicros = micros;
        buffer.put(RecordingFormat.magic()).put((byte) RecordingFormat.VERSION);
        buffer.putLong(recording.high()).putLong(recording.low()).putInt(part);
        buffer.putLong(wallMillis).putLong(micros);
        bytes = buffer.position();
    }

    /** Adds a use. */
    public void write(Use use) throws IOException {
        if (buffer.remaining() < MOST_BYTES) {
            flush();
        }
        int begin = buffer.position();
        boolean lives = use.ttlMillis() != Use.NO_TTL;
        buffer.put((byte) (use.kind().code()
                | (use.joined() ? RecordingFormat.JOINED : 0)
                | (use.parent().isPresent() ? RecordingFormat.PARENT : 0)
                | (use.tail() ? RecordingFormat.TAIL : 0)
                | (lives ? RecordingFormat.TTL : 0)));
        long delta = use.micros() - lastMicros;
        varint((delta << 1) ^ (delta >> 63));
        varint(use.client());
        buffer.putLong(use.key().high()).putLong(use.key().low());
        if (use.parent().isPresent()) {
            buffer.putLong(use.parent().get().high()).putLong(use.parent().get().low());
        }
        varint(use.bytes());
        if (lives) {
            varint(use.ttlMillis());
        }
        lastMicros = use.micros();
        bytes += buffer.position() - begin;
    }

    /** Bytes of the file, those not flushed included. */
    public long bytes() {
        return bytes;
    }

    /** Hands everything to the file system. Once it has failed, nothing more is written. */
    public void flush() throws IOException {
        if (torn) {
            throw new IOException("an earlier write has failed, and perhaps written a part of its uses");
        }
        torn = true;
        out.write(buffer.array(), 0, buffer.position());
        out.flush();
        torn = false;
        buffer.clear();
    }

    /** Ends the file; without a flush when one has failed. */
    @Override
    public void close() throws IOException {
        try (out) {
            if (!torn) {
                flush();
            }
        }
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            buffer.put((byte) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        buffer.put((byte) rest);
    }
}
