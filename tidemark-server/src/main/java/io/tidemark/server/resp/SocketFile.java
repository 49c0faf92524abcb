package io.tidemark.server.resp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * One Unix socket in the file system, by what tells it from another at the same path. Links are not followed.
 *
 * @param device number of the file system
 * @param inode number of the file in it
 */
record SocketFile(Path path, long device, long inode) {
    /** Bits of a file's mode that say what it is, and their value for a socket. */
    private static final int TYPE_BITS = 0xF000;

    private static final int SOCKET = 0xC000;

    /** The socket at this path; nothing when there is none, or something else. */
    static Optional<SocketFile> at(Path path) throws IOException {
        try {
            Map<String, Object> found = Files.readAttributes(path, "unix:mode,dev,ino", LinkOption.NOFOLLOW_LINKS);
            boolean socket = (number(found, "mode") & TYPE_BITS) == SOCKET;
            return socket
                    ? Optional.of(new SocketFile(path, number(found, "dev"), number(found, "ino")))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static long number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Number number ? number.longValue() : 0;
    }

    /** Deletes it, unless something else has taken its path. */
    void delete() throws IOException {
        if (at(path).equals(Optional.of(this))) {
            Files.deleteIfExists(path);
        }
    }
}
