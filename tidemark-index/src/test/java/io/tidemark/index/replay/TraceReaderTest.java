package io.tidemark.index.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {
    private static final String TWO_LINES = """
            {"timestamp": 5, "input_length": 1100, "output_length": 7, "hash_ids": [9007199254740993, -4, 8]}

            {"hash_ids": [9007199254740993,-4, 77], "extra": {"a": [1, {"b": "]}\\""}]}, "input_length": 1536 }
            """;

    @TempDir
    private Path folder;

    @Test
    void numbersBlocksInTheOrderOfTheirFirstAppearance() throws IOException {
        Trace trace = TraceReader.read(write("t.jsonl", TWO_LINES));
        assertThat(trace.requests()).isEqualTo(2);
        assertThat(trace.references()).isEqualTo(6);
        assertThat(trace.uniqueBlocks()).isEqualTo(4);
        assertThat(new int[] {trace.block(3), trace.block(4), trace.block(5)}).containsExactly(0, 1, 3);
        assertThat(trace.parent(3)).isEqualTo(1);
        assertThat(trace.parent(0)).isEqualTo(Trace.NO_BLOCK);
        assertThat(trace.depth(3)).isEqualTo(3);
        assertThat(trace.timestampMillis(0)).isEqualTo(5);
        assertThat(trace.inputTokens(1)).isEqualTo(1536);
    }

    @Test
    void theUnfilledLastBlockOfAPromptIsAnIncompleteTail() throws IOException {
        Trace trace = TraceReader.read(write("t.jsonl", TWO_LINES));
        assertThat(trace.isIncompleteTail(2)).isTrue();
        assertThat(trace.isIncompleteTail(3)).isFalse();
        assertThat(trace.isIncompleteTail(1)).isFalse();
    }

    @Test
    void aBlockSeenBeforeDoesNotBecomeATail() throws IOException {
        Trace trace = TraceReader.read(
                write("t.jsonl", "{\"input_length\":512,\"hash_ids\":[1]}\n{\"input_length\":3,\"hash_ids\":[1]}"));
        assertThat(trace.isIncompleteTail(0)).isFalse();
    }

    @Test
    void readsGzip() throws IOException {
        Path path = folder.resolve("t.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path))) {
            out.write(TWO_LINES.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(TraceReader.read(path).references()).isEqualTo(6);
    }

    @Test
    void aDamagedPackedFileIsToldAsThatAndNotByTheLineThatItMakes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write("{\"hash_ids\": 1}\n".getBytes(StandardCharsets.UTF_8));
        }
        Path path = folder.resolve("t.jsonl.gz");
        Files.write(path, bytes.toByteArray());
        assertThatThrownBy(() -> TraceReader.read(path)).hasMessageContaining("t.jsonl.gz:1:");
        byte[] damaged = bytes.toByteArray();
        damaged[damaged.length - 6] ^= 1; // its checksum
        Files.write(path, damaged);
        assertThatThrownBy(() -> TraceReader.read(path))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageStartingWith(path + ": the gzip file is damaged; expected a whole one");
    }

    /** A terabyte of nothing follows. */
    @Test
    void whatIsWrongInAFileThatIsNotPackedIsToldWithoutItsRest() throws Exception {
        Path path = write("t.jsonl", "{\"hash_ids\": 1}\n");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(1L << 40);
        }
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThatThrownBy(() -> TraceReader.read(path))
                        .isInstanceOf(TraceFormatException.class)
                        .hasMessageContaining("t.jsonl:1:"));
    }

    @Test
    void aPipeWithoutAWriterIsRefusedAtOnce() throws Exception {
        Path path = folder.resolve("t.jsonl");
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThatThrownBy(() -> TraceReader.read(path))
                        .isInstanceOf(TraceFormatException.class)
                        .hasMessage(path
                                + ": is a named pipe, a socket or a device, which may have no end; expected a file"));
    }

    @Test
    void readsKeysFromCsv() throws IOException {
        Trace trace = TraceReader.read(write("t.csv", "# request keys\nsys,a, b\n\nsys,a,c\n"));
        assertThat(trace.requests()).isEqualTo(2);
        assertThat(trace.uniqueBlocks()).isEqualTo(4);
        assertThat(trace.parent(3)).isEqualTo(1);
        assertThat(trace.isIncompleteTail(3)).isFalse();
    }

    @Test
    void anEmptyFileIsAnEmptyTrace() throws IOException {
        assertThat(TraceReader.read(write("t.jsonl", "")).requests()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"hash_ids\": [1]}\\n{\"hash_ids\": [1,}       | 2:17: expected an integer, at '}'",
                "{\"hash_ids\": [1.5]}                           | 1:16: expected ',', at '.'",
                "{\"timestamp\": 3}                              | 1:17: the object has no member hash_ids",
                "{\"hash_ids\": [99999999999999999999]}          | does not fit into 64 bits",
                "{\"hash_ids\": [1]} x                           | 1:19: expected the end of the line",
                "{\"hash_ids\": [1], \"input_length\": -1}       | expected a number of tokens",
                "{\"hash_ids\": [1], \"timestamp\": \"a\"}       | expected a number, got ''",
                "{\"hash_ids\": [1]                              | at the end of the file",
                "{\"other\": }                                   | expected a value",
                "{\"other\": [1\\n]}                             | the line ends inside a value",
                "{\"oth                                          | a string has no end",
                "[1]                                             | 1:1: expected '{', at '['"
            })
    void anErrorNamesFileLineAndColumn(String text, String message) throws IOException {
        Path path = write("bad.jsonl", text.strip().replace("\\n", "\n"));
        assertThatThrownBy(() -> TraceReader.read(path))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("bad.jsonl:")
                .hasMessageContaining(message);
    }

    @Test
    void aListOfKeysIsATraceOfSingleBlocks() throws IOException {
        Trace trace = TraceReader.read(write("t.csv", "a\nb\na\n"));
        assertThat(trace.requests()).isEqualTo(3);
        assertThat(trace.uniqueBlocks()).isEqualTo(2);
    }

    @Test
    void aHeaderSaysWhatTheColumnsAre() throws IOException {
        Trace trace = TraceReader.read(write("t.csv", """
                # uses of two clients
                Time, client, op, key, size, parent, batch
                0,    x,      put, a,  4096, ,
                0.5,  x,      put, b,  4096, a,
                1,    y,      get, a,  ,     ,      1
                2,    y,      get, b,  ,     ,      1
                3,    y,      delete, a, ,   ,
                4,    y,      get, a,  ,     ,
                """));
        assertThat(trace.requests()).isEqualTo(3);
        assertThat(trace.end(0) - trace.start(0)).isEqualTo(2);
        assertThat(trace.end(1) - trace.start(1)).isEqualTo(2);
        assertThat(trace.block(trace.start(2))).isEqualTo(2);
        assertThat(trace.remarks())
                .containsExactly(
                        "blocks of 4096 bytes on average",
                        "1 of 3 blocks have no size; they count as 4096 bytes, the average of the others");
    }

    @Test
    void aHeaderOfKeyAndSizeIsEnough() throws IOException {
        Trace trace = TraceReader.read(write("t.csv", "key,size\na,10\nb,20\na,10\n"));
        assertThat(trace.requests()).isEqualTo(3);
        assertThat(trace.uniqueBlocks()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "key,color\\na,1         | 1:1: unknown column 'color', expected some of time, client, batch, op",
                "key,key\\na,1           | 1:1: column 'key' twice",
                "key,size\\na            | 2:1: 1 values, expected 2 as in the header",
                "key,size\\na,-1         | 2:3: size '-1', expected a number of at least 0",
                "size,key\\n1,           | 2:3: no key, expected one",
                "key,op\\na,fetch        | 2:1: unknown op 'fetch', expected one of clear, delete",
                "key,tail\\na,yes        | 2:1: tail 'yes', expected 0 or 1"
            })
    void errorsUnderAHeaderNameTheLine(String text, String message) throws IOException {
        Path path = write("t.csv", text.strip().replace("\\n", "\n"));
        assertThatThrownBy(() -> TraceReader.read(path)).hasMessageContaining("t.csv:" + message);
    }

    @Test
    void csvErrorsNameTheLine() throws IOException {
        Path path = write("bad.csv", "a,b\na,,c\n");
        assertThatThrownBy(() -> TraceReader.read(path))
                .hasMessageContaining("bad.csv:2:1: key 2 of the line is empty");
    }

    @Test
    void anUnknownKindOfFileIsRefusedByName() throws IOException {
        Path path = write("t.parquet", "x");
        assertThatThrownBy(() -> TraceReader.read(path)).hasMessageContaining("a name that ends in .jsonl or .csv");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
