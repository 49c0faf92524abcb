package io.tidemark.index.replay;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads one file of a recording. A use that is cut off at its end, as after a kill, is left out and told. */
final class RecordingReader implements AutoCloseable {
    private final String where;
    private final CountedInput counted;
    private final DataInputStream in;
    private final BlockId recording;
    private final int part;
    private long micros;

    /** Reads the header. */
    RecordingReader(InputStream file, String where) throws IOException {
        this.where = where;
        counted = new CountedInput(file);
        in = new DataInputStream(counted);
        try {
            byte[] magic = in.readNBytes(RecordingFormat.magic().length);
            if (!RecordingFormat.isRecording(magic)) {
                throw new TraceFormatException(where, 0, "expected the beginning of a recording");
            }
            int version = in.readUnsignedByte();
            if (version != RecordingFormat.VERSION) {
                throw new TraceFormatException(
                        where,
                        counted.count - 1,
                        "recording of version " + version + ", expected " + RecordingFormat.VERSION);
            }
            recording = id();
            part = in.readInt();
            if (part < 0) {
                throw new TraceFormatException(where, counted.count - 4, "file " + part + ", expected at least 0");
            }
            in.readLong(); // wall clock, for people
            micros = in.readLong();
        } catch (EOFException e) {
            throw (IOException) new TraceFormatException(
                            where,
                            counted.count,
                            "the file ends inside its header, expected " + RecordingFormat.HEADER_BYTES + " bytes")
                    .initCause(e);
        }
    }

    /** Which file it is. */
    String where() {
        return where;
    }

    /** How many files the recording has before this one. */
    int part() {
        return part;
    }

    /** Which recording the file is a part of. */
    BlockId recording() {
        return recording;
    }

    /** Reads all uses; answers the offset of one that is cut off. */
    Optional<Long> readAll(Consumer<Use> uses) throws IOException {
        while (true) {
            long offset = counted.count;
            int kind = in.read();
            if (kind < 0) {
                return Optional.empty();
            }
            try {
                uses.accept(use(kind, offset));
            } catch (EOFException e) {
                return Optional.of(offset);
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private Use use(int kindAndFlags, long offset) throws IOException {
        int code = kindAndFlags & RecordingFormat.KIND;
        UseKind kind = UseKind.of(code)
                .orElseThrow(() -> new TraceFormatException(
                        where, offset, "use of kind " + code + ", expected 1 to " + UseKind.values().length));
        long delta = varint();
        micros += (delta >>> 1) ^ -(delta & 1);
        long client = atLeastZero("client");
        BlockId key = id();
        Optional<BlockId> parent = is(kindAndFlags, RecordingFormat.PARENT) ? Optional.of(id()) : Optional.empty();
        long bytes = atLeastZero("size");
        long ttlMillis = is(kindAndFlags, RecordingFormat.TTL) ? atLeastZero("time to live") : Use.NO_TTL;
        boolean joined = is(kindAndFlags, RecordingFormat.JOINED);
        return new Use(
                micros, client, kind, joined, key, parent, bytes, is(kindAndFlags, RecordingFormat.TAIL), ttlMillis);
    }

    private static boolean is(int flags, int flag) {
        return (flags & flag) != 0;
    }

    private BlockId id() throws IOException {
        return new BlockId(in.readLong(), in.readLong());
    }

    private long atLeastZero(String what) throws IOException {
        long offset = counted.count;
        long value = varint();
        if (value < 0) {
            throw new TraceFormatException(where, offset, what + " of " + value + ", expected at least 0");
        }
        return value;
    }

    private long varint() throws IOException {
        long offset = counted.count;
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = in.readUnsignedByte();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new TraceFormatException(where, offset, "a number of more than ten bytes, expected at most ten");
    }

    /** Knows how far it was read. */
    private static final class CountedInput extends InputStream {
        private final InputStream in;
        private long count;

        CountedInput(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            int next = in.read();
            count += next < 0 ? 0 : 1;
            return next;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            int got = in.read(target, from, length);
            count += Math.max(0, got);
            return got;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
