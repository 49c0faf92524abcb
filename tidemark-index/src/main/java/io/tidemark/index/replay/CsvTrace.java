package io.tidemark.index.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads a CSV file: uses under a header, or requests, one a line. */
final class CsvTrace {
    private final String where;
    private final BufferedReader lines;
    private long number;

    CsvTrace(InputStream in, String where) {
        this.where = where;
        lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    Trace read() throws IOException {
        Optional<String> first = next();
        Optional<CsvColumns> columns = first.isEmpty() ? Optional.empty() : CsvColumns.of(first.get(), where, number);
        return columns.isPresent() ? uses(columns.get()) : requests(first);
    }

    private Trace uses(CsvColumns columns) throws IOException {
        UseChains chains = new UseChains();
        for (Optional<String> line = next(); line.isPresent(); line = next()) {
            chains.add(columns.use(line.get(), number));
        }
        TraceBuilder builder = new TraceBuilder();
        chains.build(builder);
        return builder.build();
    }

    private Trace requests(Optional<String> first) throws IOException {
        TraceBuilder builder = new TraceBuilder();
        Map<String, Integer> numbers = new HashMap<>();
        for (Optional<String> line = first; line.isPresent(); line = next()) {
            String[] keys = line.get().split(",", -1);
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

    /** The next line that says something. */
    private Optional<String> next() throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                return Optional.of(line);
            }
        }
        return Optional.empty();
    }
}
