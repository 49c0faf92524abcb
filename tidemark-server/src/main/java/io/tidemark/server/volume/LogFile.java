package io.tidemark.server.volume;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The file of a log, written by a thread of its own: who says something never waits for it, and a file that hangs, as on a
 * volume whose server is gone, holds up nobody. Lines wait in a queue of {@value #QUEUED_CHARS_MAX} characters; what comes
 * while that is full is left out and counted, and a line in the file says how many, at the place where they would stand.
 *
 * <p>The file is moved to {@code <file>.1} before it grows beyond {@link #BYTES_MAX}, and given up with one line when it
 * cannot be written. Its monitor is held over no call to the file.
 */
final class LogFile {
    static final int QUEUED_CHARS_MAX = 8 << 20;
    private static final long BYTES_MAX = 64L << 20;

    /** A write that takes so long is told. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Path path;
    private final Words words;
    private final Thread writer;

    /** What waits to be written, and its characters; what came when there was no room any more. */
    private List<String> queue = new ArrayList<>();

    private int queuedChars;
    private long leftOut;

    private boolean closing;
    private boolean givenUp;

    /** Whether lines are being written, since when, and whether it has been told that this takes long. */
    private boolean writing;

    private long writingSinceNanos;
    private boolean lateTold;

    /** How the log says something of its file. */
    interface Words {
        /** A warning as a line of the log. */
        String line(String text);

        /** Says a warning anywhere but in the file. */
        void tell(String text);
    }

    private record Batch(List<String> lines, long leftOut) {}

    LogFile(Path path, Words words) {
        this.path = path;
        this.words = words;
        this.writer = Thread.ofPlatform().daemon().name("volume-log").start(this::run);
    }

    /** Has a line written after those before it, if it fits. */
    void add(String line) {
        long late = queue(line);
        if (late > 0) {
            words.tell("log file " + path + " has taken nothing for " + TimeUnit.NANOSECONDS.toSeconds(late)
                    + " s: lines wait in memory, and what it has no room for is left out of the file");
        }
    }

    /** Puts a line into the queue; for how long nothing was taken if that is to be told now, or 0. */
    private synchronized long queue(String line) {
        if (givenUp || closing) {
            return 0;
        }
        if (leftOut > 0 || queuedChars + line.length() > QUEUED_CHARS_MAX) {
            leftOut++; // also what would fit after one that did not: the gap has one place
        } else {
            queue.add(line);
            queuedChars += line.length();
            notifyAll();
        }
        long taking = writing ? System.nanoTime() - writingSinceNanos : 0;
        if (lateTold || taking < LATE_NANOS) {
            return 0;
        }
        lateTold = true;
        return taking;
    }

    /** Takes no more lines, and waits until those that are queued are written, so long at most. */
    void close(long nanosMax) throws InterruptedException {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        writer.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanosMax)));
    }

    private void run() {
        try {
            for (Batch batch = take(); !batch.lines.isEmpty(); batch = take()) {
                write(batch);
            }
        } catch (IOException e) {
            giveUp();
            words.tell("log file " + path + " is given up: " + e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is queued, once there is something; empty at the end. */
    private synchronized Batch take() throws InterruptedException {
        while (queue.isEmpty() && !closing) {
            wait();
        }
        Batch batch = new Batch(queue, leftOut);
        queue = new ArrayList<>();
        queuedChars = 0;
        leftOut = 0;
        writing = true;
        writingSinceNanos = System.nanoTime();
        return batch;
    }

    /** Whether the write that has ended was told to take long. */
    private synchronized boolean written() {
        boolean told = lateTold;
        writing = false;
        lateTold = false;
        return told;
    }

    private synchronized void giveUp() {
        givenUp = true;
        queue = List.of();
    }

    private void write(Batch batch) throws IOException {
        StringBuilder text = new StringBuilder();
        batch.lines.forEach(line -> text.append(line).append('\n'));
        if (batch.leftOut > 0) {
            text.append(words.line(batch.leftOut + " lines are left out here: the file did not take them in time"))
                    .append('\n');
        }
        append(text.toString().getBytes(StandardCharsets.UTF_8));
        if (written()) {
            words.tell("log file " + path + " takes lines again");
        }
        if (batch.leftOut > 0) {
            words.tell(batch.leftOut + " lines are left out of log file " + path + ": it did not take them in time");
        }
    }

    private void append(byte[] bytes) throws IOException {
        if (Files.exists(path)) {
            long size = Files.size(path);
            if (size > 0 && size + bytes.length > BYTES_MAX) {
                Files.move(path, path.resolveSibling(path.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.write(path, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
