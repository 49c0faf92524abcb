package io.tidemark.core.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Reads the touch logs of clients: a file {@value #FILE} in a rank directory that any client may append to, a line for
 * each block it has read: the hash in lower-case hexadecimal (16 digits or more), and, if it likes, a blank and the time
 * in seconds since 1970. A line without a time counts as now; a time in the future too.
 *
 * <p>Read from where the last reading ended, {@link #BYTES_MAX} a time; a file that has become shorter is read from its
 * start. A last line without its end is left for the next time. One that has become large is renamed to {@value #OLD}, for
 * which nothing is asked of its owner, and of which every reader reads the rest before it goes on with the new one; so that
 * of several sweepers each has read every line, as long as it reads faster than {@link #LARGE_BYTES} are written. One thread.
 */
final class TouchLog {
    static final String FILE = "tidemark-touch.log";
    static final String OLD = FILE + ".1";

    private static final int BYTES_MAX = 1 << 20;
    private static final int HASH_DIGITS_MIN = 16;

    /** Size from which a log is put aside. */
    static final long LARGE_BYTES = 16 << 20;

    private final BooleanSupplier mayRename;
    private final Path cache;
    private final Touches touches;
    private final Map<Integer, Place> places = new HashMap<>();
    private int lastTold;
    private final ByteBuffer buffer = ByteBuffer.allocate(BYTES_MAX);

    /** Where the last reading ended: the identity of a file and an offset. */
    private record Place(Object file, long offset) {}

    /**
     * What a reading came to.
     *
     * @param told number of touches
     * @param failure why it could not go on from there; empty when it could
     */
    record Reading(int told, Optional<IOException> failure) {}

    /**
     * A reader of touch logs.
     *
     * @param mayRename whether logs may be put aside when they have become large; of several sweepers one may
     */
    TouchLog(Path cache, Touches touches, BooleanSupplier mayRename) {
        this.mayRename = mayRename;
        this.cache = cache;
        this.touches = touches;
    }

    /** Reads what is new for a rank directory. Without a log there is nothing. */
    Reading read(RankDir rank, long nowSeconds) {
        Path folder = cache.resolve(rank.toString());
        Path file = folder.resolve(FILE);
        Path old = folder.resolve(OLD);
        int told = 0;
        try {
            Optional<Object> present = identity(file);
            Optional<Object> aside = identity(old);
            Place place = places.getOrDefault(
                    rank.id(), new Place(aside.or(() -> present).orElse(""), 0));
            if (aside.filter(place.file::equals).isPresent()) {
                Place end = read(rank, old, place, nowSeconds);
                told += lastTold;
                boolean atEnd = end.offset == place.offset;
                places.put(rank.id(), atEnd && present.isPresent() ? new Place(present.get(), 0) : end);
            } else if (present.isPresent()) {
                // what the file system calls the file may change: the offset tells whether it is still the one
                places.put(rank.id(), read(rank, file, new Place(present.get(), place.offset), nowSeconds));
                told += lastTold;
                putAside(rank, file, old);
            }
            return new Reading(told, Optional.empty());
        } catch (NoSuchFileException e) {
            return new Reading(told, Optional.empty());
        } catch (IOException e) {
            return new Reading(told, Optional.of(e));
        }
    }

    private static Optional<Object> identity(Path file) throws IOException {
        try {
            BasicFileAttributes facts =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return facts.isRegularFile() ? Optional.ofNullable(facts.fileKey()) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private Place read(RankDir rank, Path file, Place from, long nowSeconds) throws IOException {
        lastTold = 0;
        try (SeekableByteChannel in =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long start = from.offset > in.size() ? 0 : from.offset;
            in.position(start);
            buffer.clear();
            int read = in.read(buffer);
            int whole = read <= 0 ? 0 : lastLineEnd(read);
            lastTold = lines(rank, whole, nowSeconds);
            return new Place(from.file, start + (whole == 0 && read == BYTES_MAX ? read : whole));
        }
    }

    /** Puts a log aside that is large and has been read to its end. What is appended meanwhile is read in its new place. */
    private void putAside(RankDir rank, Path file, Path old) throws IOException {
        Place end = places.getOrDefault(rank.id(), new Place("", 0));
        if (mayRename.getAsBoolean() && Files.size(file) > LARGE_BYTES && end.offset == Files.size(file)) {
            Files.move(file, old, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private int lastLineEnd(int read) {
        int end = read;
        while (end > 0 && buffer.get(end - 1) != '\n') {
            end--;
        }
        return end;
    }

    private int lines(RankDir rank, int length, long nowSeconds) {
        int told = 0;
        String text = new String(buffer.array(), 0, length, StandardCharsets.US_ASCII);
        for (String line : text.split("\n", -1)) {
            told += line(rank, line.strip(), nowSeconds) ? 1 : 0;
        }
        return told;
    }

    private boolean line(RankDir rank, String line, long nowSeconds) {
        int blank = line.indexOf(' ');
        Name hash = Name.of(blank < 0 ? line : line.substring(0, blank));
        if (hash.length() < HASH_DIGITS_MIN || !hash.isLowerHex(0, hash.length())) {
            return false;
        }
        long at = nowSeconds;
        if (blank >= 0) {
            try {
                at = Math.min(nowSeconds, (long) Double.parseDouble(line.substring(blank + 1)));
            } catch (NumberFormatException e) {
                return false;
            }
        }
        touches.touch(rank, FsLayout.lowBits(hash, hash.length()).value(), at);
        return true;
    }
}
