package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process has open. */
public final class OpenDescriptors {
    private OpenDescriptors() {}

    /** How many lead to a folder or below it; those of other tests are closed when the collector finds them. */
    public static long below(Path folder) throws IOException {
        Path real = folder.toRealPath();
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(descriptor -> leadsBelow(descriptor, real)).count();
        }
    }

    private static boolean leadsBelow(Path descriptor, Path folder) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(folder);
        } catch (IOException _) {
            return false; // closed meanwhile: the one of this listing
        }
    }
}
