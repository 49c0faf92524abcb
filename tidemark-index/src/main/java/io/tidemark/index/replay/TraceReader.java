package io.tidemark.index.replay;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads traces, each also as {@code .gz}:
 *
 * <ul>
 *   <li>a recording of a server ({@code tidemark serve --record}), known by its first bytes. The files before it, with
 *       {@code .1}, {@code .2} and so on behind its name, are read first as far as they are of the same recording;
 *   <li>{@code .jsonl}, or what begins with a brace: one object a line with {@code hash_ids} (one integer a block of 512
 *       tokens) and optionally {@code timestamp} (milliseconds) and {@code input_length} (tokens); other members are skipped;
 *   <li>{@code .csv} under a header: one use a line, in the columns {@code key} and, as far as they are known,
 *       {@code time} (milliseconds), {@code client}, {@code batch}, {@code op}, {@code size} (bytes), {@code parent},
 *       {@code tail} (0 or 1), {@code ttl} (milliseconds);
 *   <li>{@code .csv} without one: one request a line, its block keys separated by commas, root first; any text is a key. A
 *       list of keys, one a line, is a special case.
 * </ul>
 *
 * In CSV, empty lines and lines that start with {@code #} are skipped.
 */
public final class TraceReader {
    private static final int PEEKED_BYTES = 16;

    private TraceReader() {}

    /**
     * Reads the whole trace.
     *
     * @throws TraceFormatException naming file and place of what is wrong, and what was expected
     */
    public static Trace read(Path path) throws IOException {
        String name = Objects.requireNonNullElse(path.getFileName(), path).toString();
        String plainName = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
        try (InputStream in = open(path)) {
            try {
                byte[] beginning = peek(in);
                if (RecordingFormat.isRecording(beginning)) {
                    return readRecording(in, path);
                }
                if (plainName.endsWith(".jsonl") || (beginning.length > 0 && beginning[0] == '{')) {
                    return readJsonLines(in, path.toString());
                }
                if (plainName.endsWith(".csv")) {
                    return new CsvTrace(in, path.toString()).read();
                }
            } catch (TraceFormatException e) {
                throw isPacked(path) ? damage(in).orElse(e) : e;
            }
        }
        throw new TraceFormatException(
                path.toString(),
                1,
                1,
                "unknown kind of trace: expected a recording of a server, or a name that ends in .jsonl or .csv"
                        + " (each also with .gz behind it)");
    }

    /** Whether the file begins as a recording of a server does. */
    public static boolean isRecording(Path path) throws IOException {
        try (InputStream in = open(path)) {
            return RecordingFormat.isRecording(peek(in));
        }
    }

    /** What is wrong with the rest of a packed file: one that is damaged is told as that, and only its end says so. */
    private static Optional<TraceFormatException> damage(InputStream rest) {
        try {
            rest.transferTo(OutputStream.nullOutputStream());
            return Optional.empty();
        } catch (TraceFormatException damage) {
            return Optional.of(damage);
        } catch (IOException _) {
            return Optional.empty(); // closed, or not to be read: then the first reason stands
        }
    }

    static InputStream open(Path path) throws IOException {
        if (isNamedPipe(path)) {
            throw new TraceFormatException(
                    path + ": is a named pipe, a socket or a device, which may have no end; expected a file");
        }
        InputStream file = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
        return isPacked(path) ? new BufferedInputStream(new PackedFile(file, path), 1 << 16) : file;
    }

    /** Opening a pipe without a writer waits for one. Those that a shell makes, {@code <(command)}, have theirs. */
    private static boolean isNamedPipe(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).isOther()
                    && !path.startsWith("/dev")
                    && !path.startsWith("/proc");
        } catch (IOException _) {
            return false; // what cannot be looked at is told by its opening
        }
    }

    private static boolean isPacked(Path path) {
        return path.toString().endsWith(".gz");
    }

    private static byte[] peek(InputStream in) throws IOException {
        in.mark(PEEKED_BYTES);
        byte[] beginning = in.readNBytes(PEEKED_BYTES);
        in.reset();
        return beginning;
    }

    private static Trace readRecording(InputStream in, Path path) throws IOException {
        TraceBuilder builder = new TraceBuilder();
        UseChains chains = new UseChains();
        try (RecordingParts parts = new RecordingParts(in, path)) {
            parts.readAll(chains::add);
            parts.remarks().forEach(builder::remark);
        }
        chains.build(builder);
        return builder.build();
    }

    private static Trace readJsonLines(InputStream in, String where) throws IOException {
        TraceBuilder builder = new TraceBuilder();
        BlockNumbers numbers = new BlockNumbers();
        TraceLine line = new TraceLine(in, where);
        while (line.next()) {
            int firstNewBlock = builder.blocks();
            for (int i = 0; i < line.blocks(); i++) {
                builder.reference(numbers.of(line.blockId(i)));
            }
            int tokens = line.inputTokens().orElse(line.blocks() * Trace.TOKENS_PER_BLOCK);
            builder.endRequest(line.timestampMillis(), tokens, firstNewBlock);
        }
        return builder.build();
    }
}
