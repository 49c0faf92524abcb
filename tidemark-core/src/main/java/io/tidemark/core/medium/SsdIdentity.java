package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * What a directory of blocks says of itself, in a small file that is made before all others.
 *
 * @param directory another one each time the directory begins empty, wherever it is mounted
 * @param state of the state directory whose server used it last
 */
public record SsdIdentity(UUID directory, UUID state) {
    private static final String FILE = "identity";
    private static final String KIND = "tidemark-ssd";
    private static final String VERSION = "1";
    private static final int BYTES_MAX = 256;

    /** Identity of a directory that is new. */
    static SsdIdentity ofNew(SsdOwner owner) {
        return new SsdIdentity(UUID.randomUUID(), owner.state());
    }

    static String path(Path directory) {
        return directory.resolve(FILE).toString();
    }

    /**
     * Reads what a directory says; empty: nothing.
     *
     * @throws IOException when it cannot be read, or says something that is not known here
     */
    static Optional<SsdIdentity> read(Sys sys, Path directory) throws IOException {
        String path = path(directory);
        int fd;
        try {
            fd = sys.openat(Sys.AT_FDCWD, path, Sys.O_RDONLY, 0);
        } catch (SysException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw e;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(BYTES_MAX);
            long length = SysFiles.readUpTo(sys, fd, bytes, 0);
            byte[] text = bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            // A kill right after the file was made, before anything else was: the directory is as good as new.
            return length == 0
                    ? Optional.empty()
                    : Optional.of(parse(path, new String(text, StandardCharsets.US_ASCII).strip()));
        } finally {
            sys.close(fd);
        }
    }

    private static SsdIdentity parse(String path, String text) throws IOException {
        String[] words = text.split(" ", -1);
        try {
            if (words.length == 4 && words[0].equals(KIND) && words[1].equals(VERSION)) {
                return new SsdIdentity(UUID.fromString(words[2]), UUID.fromString(words[3]));
            }
        } catch (IllegalArgumentException _) {
            // told below
        }
        throw new IOException(path + " says \"" + text + "\"; expected \"" + KIND + " " + VERSION
                + "\" and two ids: start the version that wrote it, or discard the blocks with --fresh");
    }

    /** Writes it into the directory; it has the same length every time, so one write replaces it. */
    void write(Sys sys, Path directory) throws IOException {
        int fd = sys.openat(Sys.AT_FDCWD, path(directory), Sys.O_RDWR | Sys.O_CREAT, 0600);
        try (Arena arena = Arena.ofConfined()) {
            String line = KIND + " " + VERSION + " " + directory() + " " + state() + "\n";
            byte[] text = line.getBytes(StandardCharsets.US_ASCII);
            MemorySegment bytes = arena.allocate(text.length);
            bytes.copyFrom(MemorySegment.ofArray(text));
            SysFiles.writeFully(sys, fd, bytes, 0);
            sys.ftruncate(fd, text.length);
            sys.fdatasync(fd);
        } finally {
            sys.close(fd);
        }
    }
}
