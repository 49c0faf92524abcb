package io.tidemark.server;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import io.tidemark.core.medium.SysFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Replaces small files as a whole: who reads one, or starts after a kill, finds the old text or the new one. */
final class ReplacedFile {
    /** Ends the name under which the new text is written first. */
    static final String TEMPORARY = ".tmp";

    private ReplacedFile() {}

    /** Closed at the end, whose failure does not hide the one before it. */
    private record Descriptor(Sys sys, int fd) implements AutoCloseable {
        @Override
        public void close() throws SysException {
            sys.close(fd);
        }
    }

    private static Descriptor open(Sys sys, String path, int flags) throws SysException {
        return new Descriptor(sys, sys.openat(Sys.AT_FDCWD, path, flags, 0600));
    }

    /** Writes the text; when that fails, the file is as it was and nothing else is left. */
    static void write(Sys sys, Path file, String text) throws IOException {
        write(sys, file, text, false);
    }

    /**
     * The same, and a power cut behind it does not bring the old text back, where the file system can promise that.
     *
     * @throws IOException also where only that promise failed: then the new text is there
     */
    static void writeDurably(Sys sys, Path file, String text) throws IOException {
        write(sys, file, text, true);
        String folder = file.toAbsolutePath().resolveSibling("").toString();
        try {
            try (Descriptor directory = open(sys, folder, Sys.O_RDONLY | Sys.O_DIRECTORY)) {
                sys.fsync(directory.fd);
            }
        } catch (SysException e) {
            throw failure(file, e);
        }
    }

    private static void write(Sys sys, Path file, String text, boolean durably) throws IOException {
        String temporary = file.resolveSibling(file.getFileName() + TEMPORARY).toString();
        try {
            try (Descriptor made = open(sys, temporary, Sys.O_WRONLY | Sys.O_CREAT | Sys.O_TRUNC);
                    Arena arena = Arena.ofConfined()) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                MemorySegment source = arena.allocate(bytes.length);
                source.copyFrom(MemorySegment.ofArray(bytes));
                SysFiles.writeFully(sys, made.fd, source, 0);
                if (durably) {
                    sys.fsync(made.fd);
                }
            }
            sys.renameat(Sys.AT_FDCWD, temporary, Sys.AT_FDCWD, file.toString());
        } catch (SysException e) {
            IOException failure = failure(file, e);
            remove(sys, temporary, failure);
            throw failure;
        }
    }

    private static void remove(Sys sys, String temporary, IOException failure) {
        try {
            sys.unlinkat(Sys.AT_FDCWD, temporary, 0);
        } catch (SysException left) {
            if (left.errno() != Errno.ENOENT) {
                failure.addSuppressed(left);
            }
        }
    }

    private static IOException failure(Path file, SysException e) {
        return new IOException(file + " cannot be replaced: " + e.getMessage(), e);
    }
}
