package io.tidemark.server.record;

import io.tidemark.index.replay.BlockId;
import io.tidemark.index.replay.RecordingWriter;
import io.tidemark.index.replay.Use;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The files of one recording, of which one is written. Not thread-safe. */
final class RecordingFiles implements AutoCloseable {
    /** Opens a new file; in tests, something that hangs or fails. */
    interface Opener {
        OutputStream open(Path file) throws IOException;
    }

    private final RecordOptions options;
    private final RecordingNames names;
    private final BlockId recording;
    private final LongSupplier wallMillis;
    private final Opener opener;
    private Optional<RecordingWriter> writer;
    private int parts;
    private long bytesBefore;

    /** Opens the first file. */
    RecordingFiles(RecordOptions options, BlockId recording, LongSupplier wallMillis, Opener opener)
            throws IOException {
        this.options = options;
        this.names = new RecordingNames(options.file(), options.keep());
        this.recording = recording;
        this.wallMillis = wallMillis;
        this.opener = opener;
        names.begin();
        writer = Optional.of(next(0));
    }

    /** Makes a file that nobody else can read, locked as long as it is open. */
    static OutputStream create(Path file) throws IOException {
        return Channels.newOutputStream(RecordingNames.create(file));
    }

    /** Writes a use. False when the recording is full and ends with it. */
    boolean write(Use use) throws IOException {
        if (writer.isEmpty()) {
            return false;
        }
        writer.get().write(use);
        if (writer.get().bytes() < options.maxBytes()) {
            return true;
        }
        if (options.rotates()) {
            names.keepFile(); // while it is locked
        }
        close();
        if (options.rotates()) {
            writer = Optional.of(next(use.micros()));
        }
        return options.rotates();
    }

    void flush() throws IOException {
        if (writer.isPresent()) {
            writer.get().flush();
        }
    }

    /** Bytes of all files so far. */
    long bytes() {
        return bytesBefore + writer.map(RecordingWriter::bytes).orElse(0L);
    }

    @Override
    public void close() throws IOException {
        Optional<RecordingWriter> open = writer;
        writer = Optional.empty();
        if (open.isPresent()) {
            bytesBefore += open.get().bytes();
            open.get().close();
        }
    }

    private RecordingWriter next(long micros) throws IOException {
        RecordingWriter begun =
                new RecordingWriter(opener.open(options.file()), recording, parts++, wallMillis.getAsLong(), micros);
        begun.flush();
        return begun;
    }
}
