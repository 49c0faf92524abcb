package io.tidemark.core.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads the touch logs of clients: a file {@value #FILE} in a rank directory that any client may append to, a line for
 * each block it has read: the hash in lower-case hexadecimal (16 digits or more), and, if it likes, a blank and the time
 * in seconds since 1970. A line without a time counts as now; a time in the future too.
 *
 * <p>Read from where the last reading ended, {@link #BYTES_MAX} a time; a file that has become shorter is read from its
 * start. A last line without its end is left for the next time. One thread.
 */
final class TouchLog {
    static final String FILE = "tidemark-touch.log";

    private static final int BYTES_MAX = 1 << 20;
    private static final int HASH_DIGITS_MIN = 16;

    /** Size from which a log is started over. */
    private static final long TRUNCATE_BYTES = 16 << 20;

    private final boolean mayTruncate;
    private final Path cache;
    private final Touches touches;
    private final Map<Integer, Long> offsets = new HashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(BYTES_MAX);

    /**
     * A reader of touch logs.
     *
     * @param mayTruncate whether logs may be started over when they have become large
     */
    TouchLog(Path cache, Touches touches, boolean mayTruncate) {
        this.mayTruncate = mayTruncate;
        this.cache = cache;
        this.touches = touches;
    }

    /** Reads what is new for a rank directory; answers the number of touches. Without a log there are none. */
    int read(RankDir rank, long nowSeconds) throws IOException {
        Path file = cache.resolve(rank.toString()).resolve(FILE);
        try (SeekableByteChannel in =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long from = offsets.getOrDefault(rank.id(), 0L);
            from = from > in.size() ? 0 : from;
            in.position(from);
            buffer.clear();
            int read = in.read(buffer);
            int whole = read <= 0 ? 0 : lastLineEnd(read);
            offsets.put(rank.id(), from + (whole == 0 && read == BYTES_MAX ? read : whole));
            int told = lines(rank, whole, nowSeconds);
            if (mayTruncate && offsets.getOrDefault(rank.id(), 0L) == in.size() && in.size() > TRUNCATE_BYTES) {
                truncate(file);
            }
            return told;
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** Starts a log over that has been read to its end; what is appended in between is lost, a few touches at most. */
    private static void truncate(Path file) throws IOException {
        Files.newByteChannel(file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING))
                .close();
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
