package io.tidemark.server.golden;

import io.tidemark.index.prefix.golden.GoldenCase;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Replays a file of recorded calls on new prefix trees and compares every field of every result. Files may be
 * compressed with gzip.
 *
 * <p>A call that throws counts as a mismatch, and so does every later call of its case.
 */
public final class GoldenReplay {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int GZIP_MAGIC = 0x1f8b;

    private final Path file;
    private final boolean rebuildEachWalk;

    private Optional<GoldenCase> running = Optional.empty();
    private Optional<String> broken = Optional.empty();
    private int cases;
    private long ops;
    private long opsOfCase;
    private long mismatches;
    private Optional<String> first = Optional.empty();

    private GoldenReplay(Path file, boolean rebuildEachWalk) {
        this.file = file;
        this.rebuildEachWalk = rebuildEachWalk;
    }

    /**
     * Replays the file.
     *
     * @param rebuildEachWalk whether eviction walks sort all leaves anew
     * @throws GoldenFormatException when the file is no recording or ends within a case
     * @throws IOException when it cannot be read
     */
    public static GoldenReport run(Path file, boolean rebuildEachWalk) throws IOException, GoldenFormatException {
        return new GoldenReplay(file, rebuildEachWalk).replay();
    }

    private GoldenReport replay() throws IOException, GoldenFormatException {
        long number = 0;
        try (BufferedReader lines = open()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    step(GoldenLine.of(MAPPER.readTree(line)), number);
                }
            }
            if (running.isPresent() || cases == 0) {
                throw new IllegalArgumentException(
                        cases == 0
                                ? "no case in it, expected a line with 'hdr'"
                                : "ends within a case, expected a line with 'end' after its " + opsOfCase + " calls");
            }
        } catch (JacksonException e) {
            throw wrong(number, "no JSON: " + said(e) + "; expected one object a line", e);
        } catch (EOFException e) {
            throw wrong(number + 1, "the gzip text is cut short, expected the rest of the recording", e);
        } catch (ZipException e) {
            throw wrong(number + 1, "the gzip text is damaged (" + e.getMessage() + "), expected whole gzip text", e);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw wrong(number, String.valueOf(e.getMessage()), e);
        }
        return new GoldenReport(cases, ops, mismatches, first);
    }

    private GoldenFormatException wrong(long number, String what, Exception cause) {
        return new GoldenFormatException(file + ", line " + number + ": " + what, cause);
    }

    /** What the parser says, without where its input began, which is this line. */
    private static String said(JacksonException e) {
        return e.getOriginalMessage().replaceFirst(" \\(start marker at .*", "");
    }

    private void step(GoldenLine line, long number) {
        switch (line) {
            case GoldenLine.Start(var header) -> {
                if (running.isPresent()) {
                    throw new IllegalArgumentException(
                            "a case begins within another, expected a line with 'end' before it");
                }
                running = Optional.of(new GoldenCase(header, rebuildEachWalk));
                broken = Optional.empty();
                opsOfCase = 0;
                cases++;
            }
            case GoldenLine.Call call -> call(call, number);
            case GoldenLine.End(long recorded) -> {
                if (running.isEmpty() || recorded != opsOfCase) {
                    throw new IllegalArgumentException(
                            "the case ends after " + opsOfCase + " calls, recorded are " + recorded);
                }
                running = Optional.empty();
            }
        }
    }

    private void call(GoldenLine.Call call, long number) {
        GoldenCase current = running.orElseThrow(
                () -> new IllegalArgumentException("a call outside of a case, expected a line with 'hdr' before it"));
        ops++;
        opsOfCase++;
        if (broken.isPresent()) {
            mismatches++;
            return;
        }
        try {
            Map<String, Object> result = current.apply(call.op());
            if (!result.equals(call.result())) {
                mismatch(number, call, "got " + result);
            }
        } catch (RuntimeException | AssertionError e) {
            broken = Optional.of(e.toString());
            mismatch(number, call, "failed with " + e);
        }
    }

    private void mismatch(long number, GoldenLine.Call call, String what) {
        mismatches++;
        if (first.isEmpty()) {
            first = Optional.of("line " + number + ", case " + cases + ", call " + opsOfCase + " ("
                    + call.op().getClass().getSimpleName() + "): expected " + call.result() + ", " + what);
        }
    }

    private BufferedReader open() throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        try {
            raw.mark(2);
            int magic = raw.read() << 8 | raw.read();
            raw.reset();
            InputStream plain = magic == GZIP_MAGIC ? new GZIPInputStream(raw, 1 << 16) : raw;
            return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }
}
