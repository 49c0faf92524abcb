package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Who holds a lock, by the kernel's table of them: a try to lock would get in the way of a server that starts, and a pid in a
 * file may be another process by now.
 */
public final class LockTable {
    /** Not there in some sandboxes. */
    private static final Path LOCKS = Path.of("/proc/locks");

    private LockTable() {}

    /** The process that wrote its pid into the file, while it holds the lock on it. */
    public static OptionalLong holder(Path lock) {
        try {
            long pid = Long.parseLong(Files.readString(lock).replace("pid ", "").strip());
            return holds(pid, lock) ? OptionalLong.of(pid) : OptionalLong.empty();
        } catch (IOException | NumberFormatException _) {
            return OptionalLong.empty();
        }
    }

    /** Whether this process holds the lock. */
    public static boolean holds(long pid, Path lock) throws IOException {
        if (!Files.isReadable(LOCKS)) {
            return ProcessHandle.of(pid).isPresent();
        }
        String inode = ":" + Files.getAttribute(lock, "unix:ino") + " ";
        try (Stream<String> held = Files.lines(LOCKS)) {
            return held.anyMatch(line -> line.contains(" " + pid + " ") && line.contains(inode));
        }
    }
}
