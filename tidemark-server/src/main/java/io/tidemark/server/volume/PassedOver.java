package io.tidemark.server.volume;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * What lies in a root in which a scan has found no block: files that are none of its layout.
 *
 * @param files how many, {@link #FILES_MAX} at most
 * @param example one of them, below the root
 */
public record PassedOver(long files, Optional<Path> example) {
    /** Where counting ends: it is about none or some. */
    public static final int FILES_MAX = 100_000;

    /** Counts them; links are not followed, and what cannot be read is left out. */
    public static PassedOver in(Path root) throws IOException {
        Count count = new Count(root);
        Files.walkFileTree(root, count);
        return new PassedOver(count.files, count.example);
    }

    private static final class Count extends SimpleFileVisitor<Path> {
        private final Path root;
        private long files;
        private Optional<Path> example = Optional.empty();

        private Count(Path root) {
            this.root = root;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files++;
            if (example.isEmpty()) {
                example = Optional.of(root.relativize(file));
            }
            return files < FILES_MAX ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
