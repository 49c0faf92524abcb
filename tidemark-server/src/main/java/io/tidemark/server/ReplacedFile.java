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
            int directory = sys.openat(Sys.AT_FDCWD, folder, Sys.O_RDONLY | Sys.O_DIRECTORY, 0);
            try {
                sys.fsync(directory);
            } finally {
                sys.close(directory);
            }
        } catch (SysException e) {
            throw failure(file, e);
        }
    }

    private static void write(Sys sys, Path file, String text, boolean durably) throws IOException {
        String temporary = file.resolveSibling(file.getFileName() + TEMPORARY).toString();
        try {
            int fd = sys.openat(Sys.AT_FDCWD, temporary, Sys.O_WRONLY | Sys.O_CREAT | Sys.O_TRUNC, 0600);
            try (Arena arena = Arena.ofConfined()) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                MemorySegment source = arena.allocate(bytes.length);
                source.copyFrom(MemorySegment.ofArray(bytes));
                SysFiles.writeFully(sys, fd, source, 0);
                if (durably) {
                    sys.fsync(fd);
                }
            } finally {
                sys.close(fd);
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
