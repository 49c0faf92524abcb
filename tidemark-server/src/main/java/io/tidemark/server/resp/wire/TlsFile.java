package io.tidemark.server.resp.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.server.machine.FileTrouble;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * A file with certificates or a key, as it was read: once, since a pipe ({@code <(...)}, {@code /dev/stdin}) gives what is in
 * it to the first reader only. Not changed by later changes of the file: {@link #again} makes another one then.
 */
public final class TlsFile {
    /** Longer than any bundle of authorities. */
    private static final int BYTES_MAX = 1 << 20;

    private final Path path;
    /** When it was changed last; empty: no regular file, which can be read once. */
    private final Optional<FileTime> changed;

    private final byte[] bytes;

    private TlsFile(Path path, Optional<FileTime> changed, byte[] bytes) {
        this.path = path;
        this.changed = changed;
        this.bytes = bytes;
    }

    /** Reads it. */
    public static TlsFile read(Path path) throws IOException {
        // The time comes first: what is changed in between is read again then.
        Optional<FileTime> changed =
                Files.isRegularFile(path) ? Optional.of(Files.getLastModifiedTime(path)) : Optional.empty();
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new IOException("larger than " + BYTES_MAX + " bytes; expected PEM");
            }
            return new TlsFile(path, changed, bytes);
        }
    }

    /** As it is now: this one, unless it is a regular file that was changed. */
    TlsFile again() throws IOException {
        if (changed.isEmpty()) {
            return this;
        }
        try {
            return Files.getLastModifiedTime(path).equals(changed.get()) ? this : read(path);
        } catch (NoSuchFileException e) {
            throw new IOException(path + " is not there", e);
        } catch (IOException e) {
            throw new IOException(path + " cannot be read: " + FileTrouble.reason(e), e);
        }
    }

    /** Where it was read. */
    public Path path() {
        return path;
    }

    /** Whether what it becomes while a server runs is taken up. */
    public boolean isRenewable() {
        return changed.isPresent();
    }

    /** What was in it. */
    public InputStream content() {
        return new ByteArrayInputStream(bytes);
    }

    /** The same as text. */
    String text() {
        return new String(bytes, US_ASCII);
    }

    /** For errors about what is in it. */
    @Override
    public String toString() {
        return bytes.length > 0 || isRenewable()
                ? path.toString()
                : path + " (no regular file: nothing was in it, or somebody else has read it)";
    }
}
