package io.tidemark.server.record;

import java.nio.file.Path;

/**
 * Where and how much a server records.
 *
 * @param file the recording; earlier files are kept as {@code FILE.1}, the latest, {@code FILE.2} and so on
 * @param maxBytes size of a file at which it is full
 * @param keep earlier files that are kept, at least 1; what is older is deleted
 * @param rotates whether a full file is kept as an earlier one and a new one begun; else the recording ends
 */
public record RecordOptions(Path file, long maxBytes, int keep, boolean rotates) {}
