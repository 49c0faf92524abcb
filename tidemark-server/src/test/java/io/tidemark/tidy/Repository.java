package io.tidemark.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The files of this repository, without what builds leave behind. */
final class Repository {
    private static final Set<String> LEFT_OUT = Set.of("target", ".git", "node_modules", "__pycache__", ".venv");

    private final Path root;
    private final List<Path> files;

    private Repository(Path root, List<Path> files) {
        this.root = root;
        this.files = files;
    }

    static Repository here() {
        Path root = Path.of(Optional.ofNullable(System.getenv("TIDEMARK_ROOT")).orElse(".."))
                .toAbsolutePath()
                .normalize();
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    boolean leave = !folder.equals(root)
                            && LEFT_OUT.contains(folder.getFileName().toString());
                    return leave ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Repository(root, files);
    }

    /** The folder of the repository. */
    Path root() {
        return root;
    }

    /** Every file. */
    List<Path> files() {
        return files;
    }

    /** Java sources, {@code src/main} or {@code src/test} of every module. */
    List<Path> java(String sourceSet) {
        return files.stream()
                .filter(file -> file.toString().endsWith(".java"))
                .filter(file -> root.relativize(file).toString().contains("/src/" + sourceSet + "/"))
                .toList();
    }

    /** A path as people write it. */
    String name(Path file) {
        return root.relativize(file).toString();
    }

    /** Lines of a text file; none when it is no text in UTF-8. */
    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException _) {
            return List.of();
        }
    }
}
