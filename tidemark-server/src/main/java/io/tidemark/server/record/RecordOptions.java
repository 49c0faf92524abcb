package io.tidemark.server.record;

import java.nio.file.Path;

/**
 * Where and how much a server records.
 *
 * @param file the recording; one that is there is kept as {@link #before}
 * @param maxBytes size of a file at which it is full
 * @param rotates whether a full file is kept as {@link #before} and a new one begun; else the recording ends
 */
public record RecordOptions(Path file, long maxBytes, boolean rotates) {
    /** The file before. */
    Path before() {
        return file.resolveSibling(file.getFileName() + ".1");
    }
}
