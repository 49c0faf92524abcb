package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file of a log. One that hangs is a named pipe that nobody reads yet. */
@Timeout(60)
class LogFileTest {
    private static final long SOON = TimeUnit.SECONDS.toNanos(30);
    private static final String LONG = "x".repeat(1 << 10);

    @TempDir
    private Path folder;

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>(100);

    private final LogFile.Words words = new LogFile.Words() {
        @Override
        public String line(String text) {
            return "WARNING " + text;
        }

        @Override
        public void tell(String text) {
            told.add(text);
        }
    };

    private Path pipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        assumeTrue(VolumeProcessTest.ran("mkfifo", pipe.toString()), "there is no mkfifo");
        return pipe;
    }

    /** The lines up to the first that begins so. */
    private static List<String> linesTo(RandomAccessFile in, String begin) throws IOException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        byte[] some = new byte[1 << 16];
        while (lines.isEmpty() || !lines.getLast().startsWith(begin)) {
            int count = in.read(some);
            for (char c : new String(some, 0, count, StandardCharsets.US_ASCII).toCharArray()) {
                if (c == '\n') {
                    lines.add(line.toString());
                    line.setLength(0);
                } else {
                    line.append(c);
                }
            }
        }
        return lines;
    }

    @Test
    void whatDoesNotFitWhileTheFileHangsIsLeftOutAndCountedInItsPlace() throws Exception {
        Path pipe = pipe();
        LogFile file = new LogFile(pipe, words);
        int all = LogFile.QUEUED_CHARS_MAX / LONG.length() + 100;
        IntStream.range(0, all).forEach(i -> file.add(i + " " + LONG));
        file.add("would fit");
        try (RandomAccessFile reader = new RandomAccessFile(pipe.toFile(), "rw")) {
            List<String> lines = linesTo(reader, "WARNING");
            int taken = lines.size() - 1;
            assertThat(taken).isBetween(all - 200, all - 1);
            assertThat(lines.subList(0, taken))
                    .isEqualTo(IntStream.range(0, taken)
                            .mapToObj(i -> i + " " + LONG)
                            .toList());
            int leftOut = all + 1 - taken;
            assertThat(lines.getLast())
                    .isEqualTo("WARNING " + leftOut + " lines are left out here: the file did not take them in time");
            assertThat(told.poll(SOON, TimeUnit.NANOSECONDS))
                    .isEqualTo(leftOut + " lines are left out of log file " + pipe + ": it did not take them in time");
            file.add("after");
            assertThat(linesTo(reader, "after")).containsExactly("after");
            file.close(SOON);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void thatItTakesNothingIsToldOnceAndThatItGoesOn() throws Exception {
        Path pipe = pipe();
        LogFile file = new LogFile(pipe, words);
        String late = null;
        while (late == null) {
            file.add("line");
            late = told.poll(100, TimeUnit.MILLISECONDS);
        }
        assertThat(late).matches("log file " + pipe + " has taken nothing for [5-9] s: .*");
        file.add("line");
        assertThat(told).as("once").isEmpty();
        try (RandomAccessFile reader = new RandomAccessFile(pipe.toFile(), "rw")) {
            file.add("last");
            assertThat(linesTo(reader, "last")).hasSizeGreaterThan(10);
            file.close(SOON);
        }
        assertThat(told).containsExactly("log file " + pipe + " takes lines again");
    }

    @Test
    void theEndWritesWhatIsQueuedAndWaitsForNoFileThatHangs() throws Exception {
        Path path = folder.resolve("log");
        LogFile file = new LogFile(path, words);
        List<String> lines =
                IntStream.range(0, 10_000).mapToObj(Integer::toString).toList();
        lines.forEach(file::add);
        file.close(SOON);
        assertThat(Files.readAllLines(path)).isEqualTo(lines);
        LogFile hung = new LogFile(pipe(), words);
        hung.add("line");
        hung.close(1);
        assertThat(told).isEmpty();
    }

    @Test
    void itIsPutAsideBeforeItGrowsBeyond64MiB() throws Exception {
        Path path = folder.resolve("log");
        try (RandomAccessFile full = new RandomAccessFile(path.toFile(), "rw")) {
            full.setLength((64 << 20) - 10);
        }
        LogFile file = new LogFile(path, words);
        file.add("more than ten");
        file.close(SOON);
        assertThat(Files.readString(path)).isEqualTo("more than ten\n");
        assertThat(folder.resolve("log.1")).hasSize((64 << 20) - 10);
    }
}
