package io.tidemark.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Directories that have to be different ones, also behind links, and none inside of another. */
final class Directories {
    /** As given, by where they really are. */
    private final Map<Path, Path> given = new LinkedHashMap<>();

    /** Adds one, or answers the earlier one that it is the same as, lies in, or holds. */
    Optional<Path> add(Path directory) {
        Path place = real(directory.toAbsolutePath().normalize());
        Optional<Path> clash = given.keySet().stream()
                .filter(other -> other.startsWith(place) || place.startsWith(other))
                .findFirst()
                .map(given::get);
        if (clash.isEmpty()) {
            given.put(place, directory);
        }
        return clash;
    }

    /** The path with the links of that part of it that is there followed. */
    private static Path real(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            return path;
        }
        try {
            return Files.exists(path) ? path.toRealPath() : real(parent).resolve(path.getFileName());
        } catch (IOException _) {
            return path; // cannot be looked at: the start will say so
        }
    }
}
