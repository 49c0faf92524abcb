package io.tidemark.core.volume;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds out, with a scratch file in a folder of the volume, which rights the sweeper has there and whether reads move
 * the access time: strictly, once a day (relatime), or never.
 */
final class RecencyProbe {
    private static final Duration AHEAD = Duration.ofHours(1);
    private static final Duration LONG_AGO = Duration.ofHours(-25);

    private RecencyProbe() {}

    /**
     * What was found out.
     *
     * @param missing what cannot be done in the folder, and why; empty when everything can
     */
    record Result(RecencySource source, Optional<String> missing) {}

    private interface Step {
        void run() throws IOException;
    }

    /** Probes in a folder, which is made if it is not there. */
    static Result probe(Path folder, String suffix) {
        Path file = folder.resolve("probe-" + suffix);
        RecencySource[] source = {RecencySource.UNKNOWN};
        Optional<String> missing = attempt(folder, "create", () -> {
                    Files.createDirectories(folder);
                    Files.write(file, new byte[4096]);
                })
                .or(() -> attempt(folder, "read", () -> source[0] = source(file)))
                .or(() -> attempt(folder, "delete", () -> Files.delete(file)));
        if (missing.isPresent()) {
            attempt(folder, "delete", () -> Files.deleteIfExists(file));
        }
        return new Result(source[0], missing);
    }

    private static Optional<String> attempt(Path folder, String right, Step step) {
        try {
            step.run();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("cannot " + right + " files in " + folder + " (" + reason(e) + ")");
        }
    }

    /** What went wrong, without the file it went wrong with. */
    static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "no permission";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> e.toString();
        };
    }

    /**
     * Under relatime a read moves an access time that is older than the last change of content or inode, or older than a
     * day. The inode changes when the time is set; so a time that relatime leaves alone lies ahead.
     */
    private static RecencySource source(Path file) throws IOException {
        if (movesAccessTime(file, AHEAD)) {
            return RecencySource.ATIME_LIVE;
        }
        return movesAccessTime(file, LONG_AGO) ? RecencySource.ATIME_RELATIME : RecencySource.MTIME_FIFO;
    }

    /** Whether a read moves an access time that lies so far from now. */
    private static boolean movesAccessTime(Path file, Duration fromNow) throws IOException {
        FileTime before = FileTime.from(Instant.now().plus(fromNow));
        BasicFileAttributeView view = Files.getFileAttributeView(file, BasicFileAttributeView.class);
        view.setTimes(null, before, null);
        Files.readAllBytes(file);
        FileTime after = view.readAttributes().lastAccessTime();
        Duration moved = Duration.between(before.toInstant(), after.toInstant()).abs();
        return moved.compareTo(AHEAD.dividedBy(2)) > 0;
    }
}
