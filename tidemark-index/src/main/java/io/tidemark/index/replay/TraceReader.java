package io.tidemark.index.replay;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Reads traces. By the file's name, each also with {@code .gz} behind it:
 *
 * <ul>
 *   <li>{@code .jsonl}: one object a line with {@code hash_ids} (one integer a block of 512 tokens) and optionally
 *       {@code timestamp} (milliseconds) and {@code input_length} (tokens); other members are skipped;
 *   <li>{@code .csv}: one request a line, its block keys separated by commas, root first; any text is a key; empty
 *       lines and lines that start with {@code #} are skipped.
 * </ul>
 */
public final class TraceReader {
    private TraceReader() {}

    /**
     * Reads the whole trace.
     *
     * @throws TraceFormatException naming file, line and column of what is wrong
     */
    public static Trace read(Path path) throws IOException {
        String name = path.getFileName().toString();
        boolean zipped = name.endsWith(".gz");
        String plainName = zipped ? name.substring(0, name.length() - 3) : name;
        try (InputStream file = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
                InputStream in = zipped ? new GZIPInputStream(file, 1 << 16) : file) {
            if (plainName.endsWith(".jsonl")) {
                return readJsonLines(in, path.toString());
            }
            if (plainName.endsWith(".csv")) {
                return readCsv(in, path.toString());
            }
        }
        throw new TraceFormatException(
                path.toString(),
                1,
                1,
                "unknown kind of trace: expected a name that ends in" + " .jsonl, .jsonl.gz, .csv or .csv.gz");
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

    private static Trace readCsv(InputStream in, String where) throws IOException {
        TraceBuilder builder = new TraceBuilder();
        Map<String, Integer> numbers = new HashMap<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        long number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] keys = line.split(",", -1);
            for (int i = 0; i < keys.length; i++) {
                String key = keys[i].strip();
                if (key.isEmpty()) {
                    throw new TraceFormatException(where, number, 1, "key " + (i + 1) + " of the line is empty");
                }
                builder.reference(numbers.computeIfAbsent(key, unseen -> numbers.size()));
            }
            builder.endRequest(0, keys.length * Trace.TOKENS_PER_BLOCK, builder.blocks());
        }
        return builder.build();
    }
}
