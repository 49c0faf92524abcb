package io.tidemark.server.record;

import io.tidemark.index.replay.RecordingWriter;
import io.tidemark.index.replay.TraceReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of a recording's files: FILE is written, {@code FILE.1} was written before it, and so on up to a bound.
 *
 * <p>Only a regular file that begins as a recording is ever moved or deleted; anything else under one of the names, were it an
 * empty file, a link or a device, is left alone and refuses the start. A file is locked while it is written; this process
 * opens it no second time meanwhile, for that would end the lock.
 */
final class RecordingNames {
    private static final Logger LOG = LoggerFactory.getLogger(RecordingNames.class);
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final int keep;

    RecordingNames(Path file, int keep) {
        if (keep < 1) {
            throw new IllegalArgumentException("earlier files to keep: expected at least 1, got " + keep);
        }
        this.file = file;
        this.keep = keep;
    }

    /**
     * Makes FILE free: what was recorded before is kept under the next name, unless it holds no use.
     *
     * @throws IOException naming what is in the way
     */
    void begin() throws IOException {
        if (file.toString().endsWith(".gz")) {
            throw new IOException(file + " ends in .gz, but recordings are not packed; expected another name");
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("no directory " + folder + "; expected one that is there");
        }
        for (int age = 0; age <= keep; age++) {
            requireRecording(name(age));
        }
        if (!isThere(file)) {
            return;
        }
        try (FileChannel before = FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            requireLock(before);
            if (before.size() <= RecordingWriter.EMPTY_BYTES) {
                Files.delete(file);
            } else {
                keepFile();
            }
        }
    }

    /** Moves FILE, which is a recording, to {@code FILE.1}, those before it up by one, and deletes the oldest if there are too many. */
    void keepFile() throws IOException {
        int free = 1;
        while (free <= keep && isThere(name(free))) {
            free++;
        }
        for (int age = 1; age < free; age++) {
            requireRecording(name(age));
        }
        if (free > keep) {
            LOG.info("the oldest recording, {}, is deleted: {} earlier ones are kept", name(keep), keep);
        }
        for (int age = Math.min(free, keep); age > 0; age--) {
            Files.move(name(age - 1), name(age), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Makes a file that nobody else can read, locked until the channel is closed. */
    static FileChannel create(Path file) throws IOException {
        FileChannel created =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY);
        try {
            if (!lock(created)) {
                throw new IOException(file + " was taken by another process as it was made");
            }
            return created;
        } catch (IOException e) {
            created.close();
            throw e;
        }
    }

    private Path name(int age) {
        return age == 0 ? file : file.resolveSibling(file.getFileName() + "." + age);
    }

    private static boolean isThere(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static void requireRecording(Path path) throws IOException {
        if (!isThere(path)) {
            return;
        }
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw inTheWay(path, "no regular file");
        }
        if (!TraceReader.isRecording(path)) {
            throw inTheWay(path, "no recording");
        }
    }

    private static IOException inTheWay(Path path, String what) {
        return new IOException(path + " is there and is " + what + "; expected a new name, or an earlier recording");
    }

    private void requireLock(FileChannel before) throws IOException {
        if (!lock(before)) {
            throw new IOException(file + " is being written by another process; expected a name for this one alone");
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            return false; // another recorder of this process
        }
    }
}
