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
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Reads the touch logs of clients: a file {@value #FILE} in a rank directory that any client may append to, a line for
 * each block it has read: the hash in lower-case hexadecimal (16 digits or more), and, if it likes, a blank and the time
 * in seconds since 1970. A line without a time, or with one in the future, counts as of the last change of the log: that
 * is when it was written at the latest, also for a reader that begins weeks later.
 *
 * <p>Read from where the last reading ended, {@link #BYTES_MAX} a time; a file that has become shorter is read from its
 * start. A last line without its end is left for the next time. One that has become large is renamed to {@value #OLD}, for
 * which nothing is asked of its owner, and of which every reader reads the rest before it goes on with the new one; so that
 * of several sweepers each has read every line, as long as it reads faster than {@link #LARGE_BYTES} are written. One thread
 * at a time for a rank directory; two that meet there would read lines twice, which changes nothing.
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
    private final Map<Integer, Place> places = new ConcurrentHashMap<>();

    /** Numbers of rank directories of which there is more to read. */
    private final Set<Integer> behind = ConcurrentHashMap.newKeySet();

    /** Numbers of rank directories that have just been found, and may have logs of which nothing is read. */
    private final Set<Integer> unread = ConcurrentHashMap.newKeySet();

    /** Where the last reading ended: the identity of a file and an offset. */
    private record Place(Object file, long offset) {}

    /** A part of a file that has been read: how many touches it held, where it ends, and whether more may follow. */
    private record Part(int told, Place end, boolean more) {}

    /** What times are held against: now, and when the log was last changed. */
    private record Clock(long nowSeconds, long changedSeconds) {
        /** When a line was written at the latest. */
        long latest() {
            return Math.min(nowSeconds, changedSeconds);
        }

        /** A time that a line gives, unless it is in the future. */
        long at(long given) {
            return given > nowSeconds ? latest() : given;
        }
    }

    /**
     * What a reading came to.
     *
     * @param told number of touches
     * @param more whether it did not come to the end
     * @param failure why it could not go on from there; empty when it could
     */
    record Reading(int told, boolean more, Optional<IOException> failure) {}

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
        Reading reading = readNew(rank, nowSeconds);
        if (reading.more) {
            behind.add(rank.id());
        } else {
            behind.remove(rank.id());
        }
        unread.remove(rank.id());
        return reading;
    }

    /** Takes note of rank directories that have just been found: each is behind until it is read, or has no log. */
    void found(Collection<RankDir> ranks) {
        unread.clear();
        ranks.forEach(rank -> unread.add(rank.id()));
    }

    /** Looks whether a rank directory that has just been found has a log; where that cannot be told it may have one. */
    void look(RankDir rank) {
        Path folder = cache.resolve(rank.toString());
        try {
            if (identity(folder.resolve(FILE)).isEmpty()
                    && identity(folder.resolve(OLD)).isEmpty()) {
                unread.remove(rank.id());
            }
        } catch (IOException _) {
            // the reading will fail as well, and tell it
        }
    }

    /** Whether a rank directory that has just been found may have a log of which nothing is read. */
    boolean isUnread(RankDir rank) {
        return unread.contains(rank.id());
    }

    private Reading readNew(RankDir rank, long nowSeconds) {
        Path folder = cache.resolve(rank.toString());
        Path file = folder.resolve(FILE);
        Path old = folder.resolve(OLD);
        int told = 0;
        try {
            Optional<Object> present = identity(file);
            Optional<Object> aside = identity(old);
            Place place = places.getOrDefault(
                    rank.id(), new Place(aside.or(() -> present).orElse(""), 0));
            boolean more = false;
            if (aside.filter(place.file::equals).isPresent()) {
                Part part = read(rank, old, place, nowSeconds);
                told = part.told;
                boolean next = part.end.offset == place.offset && present.isPresent();
                places.put(rank.id(), next ? new Place(present.get(), 0) : part.end);
                more = next || part.more || part.end.offset != place.offset;
            } else if (present.isPresent()) {
                // what the file system calls the file may change: the offset tells whether it is still the one
                Part part = read(rank, file, new Place(present.get(), place.offset), nowSeconds);
                places.put(rank.id(), part.end);
                told = part.told;
                more = part.more;
                putAside(rank, file, old);
            }
            return new Reading(told, more, Optional.empty());
        } catch (NoSuchFileException e) {
            return new Reading(told, false, Optional.empty());
        } catch (IOException e) {
            return new Reading(told, false, Optional.of(e));
        }
    }

    /** Rank directories whose logs have not been read to their end. */
    int behind() {
        return behind.size() + unread.size();
    }

    /** Forgets that those were behind that are not among these: they are gone. */
    void onlyThese(Collection<RankDir> ranks) {
        behind.retainAll(ranks.stream().map(RankDir::id).collect(Collectors.toSet()));
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

    private Part read(RankDir rank, Path file, Place from, long nowSeconds) throws IOException {
        try (SeekableByteChannel in =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long size = in.size();
            long start = from.offset > size ? 0 : from.offset;
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(BYTES_MAX, size - start));
            in.position(start);
            int read = in.read(bytes);
            boolean full = read == BYTES_MAX;
            int whole = read <= 0 ? 0 : lastLineEnd(bytes, read);
            String lines = new String(bytes.array(), 0, whole, StandardCharsets.US_ASCII);
            // asked after the lines were read: none of them is younger
            int told = whole == 0 ? 0 : lines(rank, lines, new Clock(nowSeconds, changedSeconds(file)));
            Place end = new Place(from.file, start + (whole == 0 && full ? read : whole));
            return new Part(told, end, read > 0 && start + read < size);
        }
    }

    private static long changedSeconds(Path file) throws IOException {
        return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).to(TimeUnit.SECONDS);
    }

    /** Puts a log aside that is large and has been read to its end. What is appended meanwhile is read in its new place. */
    private void putAside(RankDir rank, Path file, Path old) throws IOException {
        Place end = places.getOrDefault(rank.id(), new Place("", 0));
        if (mayRename.getAsBoolean() && Files.size(file) > LARGE_BYTES && end.offset == Files.size(file)) {
            Files.move(file, old, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static int lastLineEnd(ByteBuffer bytes, int read) {
        int end = read;
        while (end > 0 && bytes.get(end - 1) != '\n') {
            end--;
        }
        return end;
    }

    private int lines(RankDir rank, String text, Clock clock) {
        int told = 0;
        for (String line : text.split("\n", -1)) {
            told += line(rank, line.strip(), clock) ? 1 : 0;
        }
        return told;
    }

    private boolean line(RankDir rank, String line, Clock clock) {
        int blank = line.indexOf(' ');
        Name hash = Name.of(blank < 0 ? line : line.substring(0, blank));
        if (hash.length() < HASH_DIGITS_MIN || !hash.isLowerHex(0, hash.length())) {
            return false;
        }
        long at = clock.latest();
        if (blank >= 0) {
            try {
                at = clock.at((long) Double.parseDouble(line.substring(blank + 1)));
            } catch (NumberFormatException e) {
                return false;
            }
        }
        touches.touch(rank, FsLayout.lowBits(hash, hash.length()).value(), at);
        return true;
    }
}
