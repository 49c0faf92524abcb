package io.tidemark.server.record;

import io.tidemark.index.replay.BlockId;
import io.tidemark.index.replay.RecordingWriter;
import io.tidemark.index.replay.TraceReader;
import io.tidemark.index.replay.Use;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The files of one recording: the one that is written, and the one before it. Not thread-safe.
 *
 * <p>Nothing is ever overwritten but a recording: another file under one of the names is left alone and the start refused.
 */
final class RecordingFiles implements AutoCloseable {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** Opens a new file; in tests, something that hangs or fails. */
    interface Opener {
        OutputStream open(Path file) throws IOException;
    }

    private final RecordOptions options;
    private final BlockId recording;
    private final LongSupplier wallMillis;
    private final Opener opener;
    private Optional<RecordingWriter> writer;
    private long bytesBefore;

    /** Opens the first file. */
    RecordingFiles(RecordOptions options, BlockId recording, LongSupplier wallMillis, Opener opener)
            throws IOException {
        this.options = options;
        this.recording = recording;
        this.wallMillis = wallMillis;
        this.opener = opener;
        refuseForeign(options.file());
        refuseForeign(options.before());
        writer = Optional.of(next(0));
    }

    /** Makes a file that nobody else can read. */
    static OutputStream create(Path file) throws IOException {
        return Channels.newOutputStream(
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY));
    }

    private static void refuseForeign(Path file) throws IOException {
        if (Files.exists(file) && Files.size(file) > 0 && !TraceReader.isRecording(file)) {
            throw new IOException(file + " is there and is no recording; expected a new name, or an earlier recording");
        }
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
        if (Files.exists(options.file())) {
            Files.move(options.file(), options.before(), StandardCopyOption.REPLACE_EXISTING);
        }
        RecordingWriter begun =
                new RecordingWriter(opener.open(options.file()), recording, wallMillis.getAsLong(), micros);
        begun.flush();
        return begun;
    }
}
