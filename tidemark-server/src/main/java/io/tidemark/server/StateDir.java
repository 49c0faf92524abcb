package io.tidemark.server;

import io.tidemark.core.medium.LockTable;
import io.tidemark.core.medium.Sys;
import io.tidemark.server.http.Json;
import io.tidemark.server.http.PlainJson;
import io.tidemark.server.machine.FileTrouble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;

/**
 * The directory of one server, held by a lock of the kernel's: when the holder dies, however it dies, the lock is gone
 * and the next start takes the directory over with what is left in it.
 */
public final class StateDir implements AutoCloseable {
    private static final String LOCK = "tidemark.lock";
    private static final String ENDPOINTS = "server.json";

    /** Directory of the SSD tier that was given none of its own. */
    private static final String BLOCKS = "ssd";

    /** Files and directories that we make, beside sockets. */
    private static final Set<String> NAMES = Set.of(LOCK, ENDPOINTS, BLOCKS, UsedDirectories.FILE);

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Sys sys;
    private final Path directory;
    private final FileChannel channel;

    private StateDir(Sys sys, Path directory, FileChannel channel) {
        this.sys = sys;
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Makes the directory if need be and locks it.
     *
     * @throws StartException when another live server holds it (its pid is named), or it cannot be used
     */
    static StateDir open(Sys sys, Path directory) throws StartException {
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            }
            restrict(directory);
            FileChannel channel = FileChannel.open(
                    directory.resolve(LOCK),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            if (lock(channel).isEmpty()) {
                String holder = read(channel);
                channel.close();
                throw new StartException("state directory " + directory + " is in use by process "
                        + (holder.isEmpty() ? "(unknown)" : holder) + "; stop it or give another --state-dir");
            }
            write(channel, Long.toString(ProcessHandle.current().pid()));
            Files.deleteIfExists(directory.resolve(ENDPOINTS));
            return new StateDir(sys, directory, channel);
        } catch (IOException e) {
            throw new StartException("state directory " + directory + " cannot be used: " + reason(e), e);
        }
    }

    /** Takes rights of group and others away from a directory of ours; a foreign one is refused. */
    private static void restrict(Path directory) throws IOException, StartException {
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
        if (OWNER_ONLY.containsAll(rights)) {
            return;
        }
        try (var entries = Files.list(directory)) {
            boolean ours = entries.map(path -> path.getFileName().toString()).allMatch(StateDir::isOurs);
            if (!ours) {
                throw new StartException("state directory " + directory + " is open to others ("
                        + PosixFilePermissions.toString(rights) + ") and holds foreign files; expected a directory of"
                        + " Tidemark's own");
            }
        }
        Files.setPosixFilePermissions(directory, OWNER_ONLY);
    }

    private static boolean isOurs(String name) {
        return NAMES.contains(
                        name.endsWith(ReplacedFile.TEMPORARY)
                                ? name.substring(0, name.length() - ReplacedFile.TEMPORARY.length())
                                : name)
                || name.endsWith(".sock");
    }

    private static Optional<FileLock> lock(FileChannel channel) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException _) {
            return Optional.empty(); // held by this very process
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(32);
        channel.read(pid, 0);
        return new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII).strip();
    }

    private static void write(FileChannel channel, String text) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    /** Tells other processes of this user where the server is. */
    void publish(Endpoints endpoints) throws IOException {
        ReplacedFile.write(sys, directory.resolve(ENDPOINTS), PlainJson.write(endpoints));
    }

    /** Where the server of a state directory says it is; empty when none does, or the one that did is gone. */
    public static Optional<Endpoints> find(Path directory) {
        try {
            Endpoints endpoints = Json.read(Files.readString(directory.resolve(ENDPOINTS)), Endpoints.class);
            return LockTable.holds(endpoints.pid(), directory.resolve(LOCK))
                    ? Optional.of(endpoints)
                    : Optional.empty();
        } catch (IOException | JacksonException _) {
            return Optional.empty();
        }
    }

    /** Why this process may not know whether a server runs there; empty where {@link #find} can tell. */
    public static Optional<String> hidden(Path directory) {
        try (FileChannel _ = FileChannel.open(directory.resolve(ENDPOINTS), StandardOpenOption.READ)) {
            return Optional.empty();
        } catch (AccessDeniedException e) {
            return Optional.of(FileTrouble.reason(e));
        } catch (IOException _) {
            return Optional.empty(); // it is not there
        }
    }

    /** Takes the endpoints back and gives the lock up; the lock file stays, for its inode is what is locked. */
    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(directory.resolve(ENDPOINTS));
        } finally {
            channel.close();
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied ->
                denied.getFile() + ": " + FileTrouble.reason(denied) + ", or give another --state-dir";
            case FileAlreadyExistsException there -> there.getFile() + " is a file; expected a directory";
            case NoSuchFileException _ -> "it is not there and cannot be made; give another --state-dir";
            case FileSystemException place
            when place.getReason() != null ->
                place.getFile() + ": " + FileTrouble.reason(place) + "; give another --state-dir";
            default -> String.valueOf(e.getMessage());
        };
    }
}
