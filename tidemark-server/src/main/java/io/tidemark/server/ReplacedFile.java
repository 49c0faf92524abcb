package io.tidemark.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces small files as a whole: who reads one, or starts after a kill, finds the old text or the new one. */
final class ReplacedFile {
    /** Ends the name under which the new text is written first. */
    static final String TEMPORARY = ".tmp";

    private ReplacedFile() {}

    /** Writes the text; when that fails, the file is as it was and nothing else is left. */
    static void write(Path file, String text) throws IOException {
        write(file, text, false);
    }

    /**
     * The same, and a power cut behind it does not bring the old text back, where the file system can promise that.
     *
     * @throws IOException also where only that promise failed: then the new text is there
     */
    static void writeDurably(Path file, String text) throws IOException {
        write(file, text, true);
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static void write(Path file, String text, boolean durably) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
        try {
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                if (durably) {
                    channel.force(true);
                }
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }
}
