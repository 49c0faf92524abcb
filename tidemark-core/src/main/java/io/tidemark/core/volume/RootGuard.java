package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Keeps the sweeper away from folders that are no cache: models' weights, and roots that nobody vouches for. */
public final class RootGuard {
    /** Folder of the sweeper's own files, in the root of the cache. */
    public static final String OWN_FOLDER = ".tidemark";

    private static final String ADOPTED = "adopted";
    private static final Pattern WEIGHT_NAMES = Pattern.compile("(?s).*\\.safetensors|pytorch_model.*\\.bin|.*\\.gguf");
    private static final int BLOCK_DIGITS = 16;

    private RootGuard() {}

    /** A file in the top level of a folder that is a model's weights; empty if there is none or no such folder. */
    public static Optional<Path> weightsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (isWeights(file.getFileName().toString())) {
                    return Optional.of(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return Optional.empty();
    }

    /** Whether a file of this name is a model's weights. */
    static boolean isWeights(String name) {
        return WEIGHT_NAMES.matcher(name).matches();
    }

    /** A file in an open directory, read from its start, that is a model's weights; empty if none is, or it cannot be read. */
    static Optional<String> weightsIn(DirectoryCalls calls, int directory) {
        DirectoryReader reader = new DirectoryReader(calls);
        reader.start(directory);
        while (reader.next()) {
            Name name = reader.name();
            // long names of hexadecimal digits are blocks of a flat cache, and there may be millions
            if (reader.maybeFile() && name.leadingHex() < BLOCK_DIGITS && isWeights(name.toString())) {
                return Optional.of(name.toString());
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
