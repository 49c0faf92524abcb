package io.tidemark.core.volume;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Keeps the sweeper away from folders that are no cache: models' weights, and roots that nobody vouches for. */
public final class RootGuard {
    /** Folder of the sweeper's own files, in the root of the cache. */
    public static final String OWN_FOLDER = ".tidemark";

    private static final String ADOPTED = "adopted";
    private static final List<String> WEIGHTS = List.of("*.safetensors", "pytorch_model*.bin", "*.gguf");

    private RootGuard() {}

    /** A file in the top level of a folder that is a model's weights; empty if there is none or no such folder. */
    public static Optional<Path> weightsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        for (String pattern : WEIGHTS) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, pattern)) {
                for (Path file : found) {
                    return Optional.of(file);
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }
        return Optional.empty();
    }

    /** Whether a folder is the root of the file system, by whatever name: as a cache it would be the whole machine. */
    public static boolean isWholeMachine(Path folder) {
        try {
            return folder.toRealPath().getNameCount() == 0;
        } catch (IOException _) {
            return folder.toAbsolutePath().normalize().getNameCount() == 0;
        }
    }

    /** Marks a root as a cache for good. */
    public static Path adopt(Path root) throws IOException {
        Path own = root.resolve(OWN_FOLDER);
        if (!Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(own);
        }
        return Files.writeString(own.resolve(ADOPTED), "this folder is a cache: tidemark may remove its blocks\n");
    }

    /**
     * Takes the mark back.
     *
     * @return whether there was one
     */
    public static boolean disown(Path root) throws IOException {
        Path own = root.resolve(OWN_FOLDER);
        boolean marked = Files.deleteIfExists(own.resolve(ADOPTED));
        if (marked && isEmpty(own)) {
            Files.delete(own);
        }
        return marked;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return !entries.iterator().hasNext();
        }
    }

    /** Whether a root has been marked. */
    public static boolean isAdopted(Path root) {
        return Files.isRegularFile(root.resolve(OWN_FOLDER).resolve(ADOPTED), LinkOption.NOFOLLOW_LINKS);
    }
}
