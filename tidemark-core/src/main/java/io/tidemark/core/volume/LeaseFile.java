package io.tidemark.core.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A small file that says who holds something: a record {@code <id> <count>} of a fixed length, always written over in
 * place; a sweeper's own adds the {@link DeletionRound} that it is in. So that it can be renewed on a volume without a free byte, and so that nothing but creating, reading and writing
 * is asked of the file system. A record that makes no sense belongs to nobody.
 */
final class LeaseFile {
    /** Length of a record, whatever the id and the count are. */
    private static final int RECORD_BYTES = 192;

    /** Parts of the longer kind. */
    private static final int RECORD_PARTS = 3;

    private LeaseFile() {}

    /** The record of a holder. */
    static String record(String id, long count) {
        return id + " " + count;
    }

    /** The record of a sweeper. */
    static String record(String id, long count, DeletionRound round) {
        return record(id, count) + " " + round;
    }

    /** The round that the sweeper of a record is in, or knows of; empty where it says none. */
    static Optional<DeletionRound> round(String record) {
        List<String> parts = List.of(record.split(" ", -1));
        return parts.size() == RECORD_PARTS ? DeletionRound.parse(parts.getLast()) : Optional.empty();
    }

    /** Whom a record names; empty for nobody. */
    static String owner(String record) {
        int blank = record.indexOf(' ');
        return blank < 0 ? record : record.substring(0, blank);
    }

    /** What a file says: bytes of any kind. */
    static String read(Path file) throws IOException {
        try (FileChannel in = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return read(in);
        }
    }

    private static String read(FileChannel in) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(RECORD_BYTES);
        int read = 0;
        while (read >= 0 && bytes.hasRemaining()) {
            read = in.read(bytes, bytes.position());
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1).strip();
    }

    /** Makes a file, which one of several gets; false when there is one. One that cannot be written does not stay. */
    static boolean create(Path file, String record) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            write(out, record);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** Writes over the record of one that is still held by {@code owner}; false when it is another's, or gone. */
    static boolean replace(Path file, String owner, String record) throws IOException {
        try (FileChannel both = FileChannel.open(
                file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            if (!owner(read(both)).equals(owner)) {
                return false;
            }
            write(both, record);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static void write(FileChannel out, String record) throws IOException {
        byte[] padded = (record + " ".repeat(Math.max(0, RECORD_BYTES - 1 - record.length())) + "\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer bytes = ByteBuffer.wrap(padded);
        while (bytes.hasRemaining()) {
            out.write(bytes, bytes.position());
        }
    }
}
