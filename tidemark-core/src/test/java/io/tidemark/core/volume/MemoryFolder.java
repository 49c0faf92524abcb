package io.tidemark.core.volume;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Folders in memory where the machine has a file system for that: for tests that make hundreds of small files and directories and
 * do not care what keeps them, as their measure of the volume is a twin's.
 */
final class MemoryFolder implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension) throws Exception {
        return Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, "tidemark-test")
                : Files.createTempDirectory("tidemark-test");
    }
}
