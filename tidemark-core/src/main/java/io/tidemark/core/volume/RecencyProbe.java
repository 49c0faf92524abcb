package io.tidemark.core.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    private RecencyProbe() {}

    /**
     * What was found out.
     *
     * @param missing the right that is missing and the error; empty when all are there
     */
    record Result(RecencySource source, Optional<String> missing) {}

    private interface Step {
        void run() throws IOException;
    }

    /** Probes in a folder, which is made if it is not there. */
    static Result probe(Path folder, String suffix) {
        Path first = folder.resolve("probe-" + suffix);
        Path second = folder.resolve("probe-" + suffix + "-renamed");
        RecencySource[] source = {RecencySource.UNKNOWN};
        Optional<String> missing = attempt("create", () -> {
                    Files.createDirectories(folder);
                    Files.write(first, new byte[4096]);
                })
                .or(() -> attempt("read", () -> source[0] = source(first)))
                .or(() -> attempt("rename", () -> Files.move(first, second, StandardCopyOption.REPLACE_EXISTING)))
                .or(() -> attempt("delete", () -> Files.delete(second)));
        return new Result(source[0], missing);
    }

    private static Optional<String> attempt(String right, Step step) {
        try {
            step.run();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(right + ": " + e);
        }
    }

    private static RecencySource source(Path file) throws IOException {
        if (movesAccessTime(file, Duration.ofHours(2), Duration.ofHours(1))) {
            return RecencySource.ATIME_LIVE;
        }
        return movesAccessTime(file, Duration.ofHours(26), Duration.ofHours(25))
                ? RecencySource.ATIME_RELATIME
                : RecencySource.MTIME_FIFO;
    }

    /** Whether a read moves the access time of a file written and last read so long ago. */
    private static boolean movesAccessTime(Path file, Duration written, Duration lastRead) throws IOException {
        Instant now = Instant.now();
        FileTime before = FileTime.from(now.minus(lastRead));
        BasicFileAttributeView view = Files.getFileAttributeView(file, BasicFileAttributeView.class);
        view.setTimes(FileTime.from(now.minus(written)), before, null);
        Files.readAllBytes(file);
        Duration moved = Duration.between(
                before.toInstant(), view.readAttributes().lastAccessTime().toInstant());
        return moved.compareTo(lastRead.dividedBy(2)) > 0;
    }
}
