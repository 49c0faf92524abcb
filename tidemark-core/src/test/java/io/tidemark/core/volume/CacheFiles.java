package io.tidemark.core.volume;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Makes and lists files of a cache in the {@code fs} layout. */
final class CacheFiles {
    static final int FILE_BYTES = 4096;

    final Path root;

    CacheFiles(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(root);
    }

    /** Makes a model with its configuration file, which proves the root. */
    void model(String base, String name) throws IOException {
        Files.createDirectories(root.resolve(base));
        Files.writeString(root.resolve(base).resolve("config.json"), "{\"model_name\": \"" + name + "\"}");
    }

    /** Makes a block; its number decides its directories and its name. */
    Path block(String rank, int number, Duration age) throws IOException {
        String hash = String.format(Locale.ROOT, "%03x%02x%011x", number * 7 % 4096, number % 256, number);
        return file(rank + "/" + hash.substring(0, 3) + "/" + hash.substring(3, 5) + "_g0/" + hash + ".bin", age);
    }

    Path file(String path, Duration age) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[FILE_BYTES]);
        return used(file, age);
    }

    /** Sets both stamps of a file to so long ago. */
    static Path used(Path file, Duration age) throws IOException {
        FileTime time = FileTime.from(Instant.now().minus(age));
        Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(time, time, null);
        return file;
    }

    /** The blocks that are there, by path; what a sweeper removes meanwhile is passed over. */
    List<Path> blocks() throws IOException {
        List<Path> blocks = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".bin")) {
                    blocks.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
                return e instanceof NoSuchFileException
                        ? FileVisitResult.CONTINUE
                        : super.postVisitDirectory(folder, e);
            }
        });
        blocks.sort(Comparator.naturalOrder());
        return List.copyOf(blocks);
    }
}
