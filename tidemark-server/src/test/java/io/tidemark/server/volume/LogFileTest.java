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
import java.util.concurrent.atomic.AtomicLong;
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

    private final AtomicLong nanos = new AtomicLong();

    private LogFile file(Path path) {
        return new LogFile(path, words, nanos::get);
    }

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

    /** Adds lines while time passes until it is told that the file takes nothing; how many. */
    private int untilToldLate(LogFile file, Path path) {
        int lines = 0;
        while (told.isEmpty()) {
            file.add("line " + lines++);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            file.tellIfLate();
            Thread.onSpinWait();
        }
        assertThat(told.remove()).startsWith("log file " + path + " has taken nothing for 5 s: ");
        return lines;
    }

    @Test
    void whatDoesNotFitWhileTheFileHangsIsLeftOutAndCountedInItsPlace() throws Exception {
        Path pipe = pipe();
        LogFile file = file(pipe);
        List<String> fit = new ArrayList<>();
        IntStream.range(0, untilToldLate(file, pipe)).forEach(i -> fit.add("line " + i));
        while (file.add(fit.size() + " " + LONG)) {
            fit.add(fit.size() + " " + LONG);
        }
        assertThat(fit).hasSizeGreaterThan(LogFile.QUEUED_CHARS_MAX / LONG.length() * 9 / 10);
        assertThat(file.add("would fit")).isFalse();
        try (RandomAccessFile reader = new RandomAccessFile(pipe.toFile(), "rw")) {
            List<String> lines = linesTo(reader, "WARNING");
            assertThat(lines.removeLast())
                    .isEqualTo("WARNING 2 lines are left out here: the file did not take them in time");
            assertThat(lines).isEqualTo(fit);
            assertThat(told.poll(SOON, TimeUnit.NANOSECONDS)).isEqualTo("log file " + pipe + " takes lines again");
            assertThat(told.poll(SOON, TimeUnit.NANOSECONDS))
                    .isEqualTo("2 lines are left out of log file " + pipe + ": it did not take them in time");
            file.add("after");
            assertThat(linesTo(reader, "after")).containsExactly("after");
            file.close(SOON);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void aLineThatIsLongerThanTheQueueIsLeftOutAndTheNextIsWritten() throws Exception {
        Path path = folder.resolve("log");
        LogFile file = file(path);
        assertThat(file.add("x".repeat(LogFile.QUEUED_CHARS_MAX + 1))).isFalse();
        assertThat(told.poll(SOON, TimeUnit.NANOSECONDS)).startsWith("1 lines are left out of log file " + path);
        assertThat(file.add("after")).isTrue();
        file.close(SOON);
        assertThat(Files.readAllLines(path))
                .containsExactly("WARNING 1 lines are left out here: the file did not take them in time", "after");
    }

    @Test
    void whateverEndsTheWriterIsTold() throws Exception {
        Path path = folder.resolve("log");
        for (Throwable thrown : List.of(new IllegalArgumentException("of a test"), new OutOfMemoryError("of a test"))) {
            LogFile file = new LogFile(
                    path,
                    new LogFile.Words() {
                        @Override
                        public String line(String text) {
                            if (thrown instanceof Error error) {
                                throw error;
                            }
                            throw new IllegalStateException(thrown);
                        }

                        @Override
                        public void tell(String text) {
                            told.add(text);
                        }
                    },
                    nanos::get);
            file.add("x".repeat(LogFile.QUEUED_CHARS_MAX + 1));
            assertThat(told.poll(SOON, TimeUnit.NANOSECONDS))
                    .startsWith("log file " + path + " is given up: ")
                    .endsWith(thrown.toString());
            assertThat(file.add("waits for nobody")).isFalse();
        }
    }

    private static boolean ran(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor() == 0;
    }

    @Test
    void aFileOnAFullDiskIsTriedAgainAndSaysWhatItLacks() throws Exception {
        assumeTrue(
                ran("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.toString()),
                "needs root, to mount a tmpfs that is soon full");
        try {
            onAFullDisk(folder.resolve("log"), folder.resolve("other"));
        } finally {
            assertThat(ran("umount", folder.toString())).isTrue();
        }
    }

    private void onAFullDisk(Path path, Path other) throws Exception {
        Files.write(other, new byte[48 << 10]);
        LogFile file = file(path);
        file.add("begin");
        file.add("y".repeat(32 << 10)); // does not fit, also not in two writes
        assertThat(told.poll(SOON, TimeUnit.NANOSECONDS))
                .startsWith("log file " + path + " cannot be written, which is tried again every 30 s: ")
                .contains("No space left on device");
        file.add("not before the next try");
        Files.delete(other);
        nanos.addAndGet(LogFile.RETRY_NANOS);
        file.add("this neither, and it wakes the writer");
        assertThat(told.poll(SOON, TimeUnit.NANOSECONDS)).isEqualTo("log file " + path + " takes lines again");
        assertThat(told.poll(SOON, TimeUnit.NANOSECONDS))
                .matches(
                        "up to \\d+ lines are left out of log file .* could not be written: .*No space left on device");
        file.add("end");
        file.close(SOON);
        List<String> lines = Files.readAllLines(path);
        String gap = lines.stream()
                .filter(line -> line.startsWith("WARNING up to "))
                .findFirst()
                .orElseThrow();
        assertThat(gap).contains(" lines are left out here: the file could not be written: ");
        assertThat(lines.subList(0, lines.indexOf(gap)))
                .as("what the failed write has left, and nothing after it")
                .allMatch(line -> line.isEmpty() || line.equals("begin") || line.matches("y+"));
        assertThat(lines).last().isEqualTo("end");
    }

    @Test
    void whatComesWhileAWriteFailsIsLeftOutWithIt() throws Exception {
        Path path = folder.resolve("later/log");
        LogFile file = file(path);
        file.add("one");
        file.add("two");
        assertThat(told.poll(SOON, TimeUnit.NANOSECONDS)).endsWith("NoSuchFileException: " + path);
        Files.createDirectory(path.getParent());
        nanos.addAndGet(LogFile.RETRY_NANOS);
        file.add("three");
        assertThat(told.poll(SOON, TimeUnit.NANOSECONDS)).isEqualTo("log file " + path + " takes lines again");
        assertThat(told.poll(SOON, TimeUnit.NANOSECONDS)).startsWith("up to 3 lines are left out of log file " + path);
        file.add("four");
        file.close(SOON);
        assertThat(Files.readAllLines(path))
                .containsExactly(
                        "WARNING up to 3 lines are left out here: the file could not be written:"
                                + " java.nio.file.NoSuchFileException: " + path,
                        "four");
        assertThat(told).as("each once").isEmpty();
    }

    @Test
    void theEndWaitsForNoFileThatCannotBeWritten() throws Exception {
        LogFile file = file(folder.resolve("never/log"));
        file.add("one");
        assertThat(told.poll(SOON, TimeUnit.NANOSECONDS)).contains("cannot be written");
        file.add("two");
        long begin = System.nanoTime();
        file.close(TimeUnit.DAYS.toNanos(1));
        assertThat(System.nanoTime() - begin).isLessThan(LogFile.RETRY_NANOS);
        assertThat(told).as("nothing new to tell").isEmpty();
    }

    @Test
    void thatItTakesNothingIsToldOnceAndThatItGoesOn() throws Exception {
        Path pipe = pipe();
        LogFile file = file(pipe);
        int lines = untilToldLate(file, pipe);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(100));
        file.add("line");
        file.tellIfLate();
        assertThat(told).as("once").isEmpty();
        try (RandomAccessFile reader = new RandomAccessFile(pipe.toFile(), "rw")) {
            file.add("last");
            assertThat(linesTo(reader, "last")).hasSize(lines + 2);
            file.close(SOON);
        }
        assertThat(told).containsExactly("log file " + pipe + " takes lines again");
    }

    @Test
    void theEndWritesWhatIsQueuedAndWaitsForNoFileThatHangs() throws Exception {
        Path path = folder.resolve("log");
        LogFile file = file(path);
        List<String> lines =
                IntStream.range(0, 10_000).mapToObj(Integer::toString).toList();
        lines.forEach(file::add);
        file.close(SOON);
        assertThat(Files.readAllLines(path)).isEqualTo(lines);
        LogFile hung = file(pipe());
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
        LogFile file = file(path);
        file.add("more than ten");
        file.close(SOON);
        assertThat(Files.readString(path)).isEqualTo("more than ten\n");
        assertThat(folder.resolve("log.1")).hasSize((64 << 20) - 10);
    }
}
