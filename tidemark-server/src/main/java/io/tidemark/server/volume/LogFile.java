package io.tidemark.server.volume;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The file of a log, written by a thread of its own: who says something never waits for it, and a file that hangs, as on a
 * volume whose server is gone, holds up nobody. Lines wait in a queue of {@value #QUEUED_CHARS_MAX} characters; what comes
 * while that is full is left out and counted, and a line in the file says how many, at the place where they would stand.
 *
 * <p>The file is moved to {@code <file>.1} before it grows beyond {@link #BYTES_MAX}. Where it cannot be written, as on a full disk, one
 * line says so, and what is said from that write on until a later one goes well is left out and counted in the same way. Some lines of that
 * write may be there all the same, the last one cut short. Its monitor is held over no call to the file.
 */
final class LogFile {
    static final int QUEUED_CHARS_MAX = 8 << 20;
    private static final long BYTES_MAX = 64L << 20;

    /** How long after a write that failed the next one is tried. */
    static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int BUFFER_BYTES = 64 << 10;

    /** A write that takes so long is told. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Path path;
    private final Words words;
    private final LongSupplier nanoTime;
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

    /** Why the last write failed, empty when it did not, and when the next one is to be tried. The writer's own. */
    private String failure = "";

    private long retryNanos;

    /** How the log says something of its file. */
    interface Words {
        /** A warning as a line of the log. */
        String line(String text);

        /** Says a warning anywhere but in the file. */
        void tell(String text);
    }

    private record Batch(List<String> lines, long leftOut) {
        boolean isEmpty() {
            return lines.isEmpty() && leftOut == 0;
        }
    }

    /**
     * The file.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    LogFile(Path path, Words words, LongSupplier nanoTime) {
        this.path = path;
        this.words = words;
        this.nanoTime = nanoTime;
        this.writer = Thread.ofPlatform().daemon().name("volume-log").start(this::run);
    }

    /** Has a line written after those before it, if it fits; whether it does. */
    boolean add(String line) {
        boolean fits = queue(line);
        tellIfLate();
        return fits;
    }

    private synchronized boolean queue(String line) {
        if (givenUp || closing) {
            return false;
        }
        boolean fits = leftOut == 0 && queuedChars + line.length() <= QUEUED_CHARS_MAX;
        if (fits) {
            queue.add(line);
            queuedChars += line.length();
        } else {
            leftOut++; // also what would fit after one that did not: the gap has one place
        }
        notifyAll();
        return fits;
    }

    /** Says once that the file has taken nothing for long, when it is so. */
    void tellIfLate() {
        long late = lateNanos();
        if (late > 0) {
            words.tell("log file " + path + " has taken nothing for " + TimeUnit.NANOSECONDS.toSeconds(late)
                    + " s: lines wait in memory, and what it has no room for is left out of the file");
        }
    }

    /** For how long nothing was taken if that is to be told now, or 0. */
    private synchronized long lateNanos() {
        long taking = writing ? nanoTime.getAsLong() - writingSinceNanos : 0;
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
            for (Batch batch = take(); !batch.isEmpty(); batch = take()) {
                try {
                    write(batch);
                } catch (IOException e) {
                    failed(batch, e);
                    awaitRetry();
                }
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            giveUp(); // whatever it was: no line waits for a thread that is gone
            words.tell("log file " + path + " is given up: " + e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is queued or left out, once there is something; empty at the end. */
    private synchronized Batch take() throws InterruptedException {
        while (queue.isEmpty() && leftOut == 0 && !closing) {
            wait();
        }
        Batch batch = new Batch(queue, leftOut);
        queue = new ArrayList<>();
        queuedChars = 0;
        leftOut = 0;
        writing = true;
        writingSinceNanos = nanoTime.getAsLong();
        return batch;
    }

    /** What a write did not take is left out, with what has come since: the gap has one place. */
    private void failed(Batch batch, IOException cause) {
        written();
        retryNanos = nanoTime.getAsLong() + RETRY_NANOS;
        synchronized (this) {
            leftOut += batch.lines.size() + batch.leftOut + queue.size();
            queue = new ArrayList<>();
            queuedChars = 0;
        }
        String why = cause.toString();
        boolean news = !why.equals(failure);
        failure = why;
        if (news) {
            words.tell("log file " + path + " cannot be written, which is tried again every "
                    + TimeUnit.NANOSECONDS.toSeconds(RETRY_NANOS) + " s: " + why);
        }
    }

    /** Until a write may be tried again. The end asks for one more try, and takes its failure for an answer. */
    private synchronized void awaitRetry() throws InterruptedException {
        if (closing) {
            leftOut = 0;
            return;
        }
        for (long left = untilRetryNanos(); left > 0 && !closing; left = untilRetryNanos()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private long untilRetryNanos() {
        return retryNanos - nanoTime.getAsLong();
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
        writing = false;
        queue = List.of();
    }

    private void write(Batch batch) throws IOException {
        append(batch);
        boolean late = written();
        if (late || !failure.isEmpty()) {
            words.tell("log file " + path + " takes lines again");
        }
        if (batch.leftOut > 0) {
            words.tell(gap(batch, "of log file " + path + ": it"));
        }
        failure = "";
    }

    /** Line by line: a batch may be as large as the queue, and in one piece would be in memory three times. */
    private void append(Batch batch) throws IOException {
        try (Output output = new Output()) {
            if (!failure.isEmpty() && output.size > 0) {
                output.line(""); // the write that failed may have ended within a line
            }
            for (String line : batch.lines) {
                output.line(line);
            }
            if (batch.leftOut > 0) {
                output.line(words.line(gap(batch, "here: the file")));
            }
        }
    }

    /** What is said of the lines that are left out; of those of a write that failed some may be there. */
    private String gap(Batch batch, String where) {
        return failure.isEmpty()
                ? batch.leftOut + " lines are left out " + where + " did not take them in time"
                : "up to " + batch.leftOut + " lines are left out " + where + " could not be written: " + failure;
    }

    /** The file, open for one batch; put aside when the next line would be beyond its end. */
    private final class Output implements Closeable {
        private OutputStream stream;
        private long size;

        Output() throws IOException {
            size = Files.exists(path) ? Files.size(path) : 0;
            stream = open();
        }

        private OutputStream open() throws IOException {
            return new BufferedOutputStream(
                    Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND), BUFFER_BYTES);
        }

        void line(String line) throws IOException {
            byte[] bytes = (line + '\n').getBytes(StandardCharsets.UTF_8);
            if (size > 0 && size + bytes.length > BYTES_MAX) {
                stream.close();
                Files.move(path, path.resolveSibling(path.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
                size = 0;
                stream = open();
            }
            stream.write(bytes);
            size += bytes.length;
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
