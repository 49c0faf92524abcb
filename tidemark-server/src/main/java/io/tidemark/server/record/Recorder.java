package io.tidemark.server.record;

import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.index.replay.BlockId;
import io.tidemark.index.replay.Use;
import io.tidemark.index.replay.UseKind;
import io.tidemark.server.machine.FileTrouble;
import java.io.IOException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a recording beside the event loops. They put uses into a queue and never wait: when its {@value #QUEUED_BYTES} bytes
 * are full, because the disk is slow, uses are dropped and counted, and the recording says where. Keys are hashed by the
 * thread that writes.
 *
 * <p>The file is behind by {@value #PERIOD_MILLIS} ms at most, which is what a kill loses. A disk that fails ends the
 * recording and nothing else.
 */
public final class Recorder implements UseListener, AutoCloseable {
    static final long QUEUED_BYTES = 16 << 20;
    private static final long PERIOD_MILLIS = 20;
    private static final long CLOSE_MILLIS = 1_000;
    /** Uses written between two flushes. */
    private static final int UNFLUSHED_USES = 4_096;

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

    private final RecordOptions options;
    private final long startNanos;
    private final KeyDigest keys = new KeyDigest();
    private final RecordingFiles files;
    private final Queue<BlockUse> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final LongAdder written = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Thread thread;
    private volatile boolean open = true;
    private volatile boolean recording = true;
    private volatile long bytes;
    /** Drops that the recording tells of already. Of the thread. */
    private long toldDropped;

    private long lastMicros;

    private Recorder(RecordOptions options, LongSupplier wallMillis, long startNanos, RecordingFiles.Opener opener)
            throws IOException {
        this.options = options;
        this.startNanos = startNanos;
        files = new RecordingFiles(options, keys.recordingId(), wallMillis, opener);
        thread = Thread.ofPlatform().name("tidemark-recorder").daemon().unstarted(this::run);
    }

    /**
     * Begins a recording.
     *
     * @param startNanos monotonic time now, of the clock that uses are timed by
     * @throws IOException when the file cannot be made, or another file would be in the way
     */
    public static Recorder start(RecordOptions options, LongSupplier wallMillis, long startNanos) throws IOException {
        return start(options, wallMillis, startNanos, RecordingFiles::create);
    }

    static Recorder start(RecordOptions options, LongSupplier wallMillis, long startNanos, RecordingFiles.Opener opener)
            throws IOException {
        Recorder recorder = new Recorder(options, wallMillis, startNanos, opener);
        recorder.thread.start();
        return recorder;
    }

    @Override
    public boolean listens() {
        return recording;
    }

    @Override
    public void used(BlockUse use) {
        if (!recording) {
            dropped.increment();
            return;
        }
        long weight = use.weight();
        if (queuedBytes.addAndGet(weight) > QUEUED_BYTES) {
            queuedBytes.addAndGet(-weight);
            dropped.increment();
            return;
        }
        queue.add(use);
        if (!recording) {
            dropQueued(); // it ended meanwhile, and may not have seen this one
        }
    }

    /** Shows what was written and what was not. */
    public void counters(CounterVisitor visitor) {
        visitor.counter("tidemark_recorded_uses_total", "Uses of blocks written to the recording.", written.sum());
        visitor.counter(
                "tidemark_recording_dropped_uses_total",
                "Uses that the recording lacks because its disk was too slow, or that waited when it ended. Uses after its"
                        + " end are not counted: see tidemark_recording_active.",
                dropped.sum());
        visitor.counter("tidemark_recording_written_bytes_total", "Bytes written to the recording.", bytes);
        visitor.gauge(
                "tidemark_recording_queued_bytes", "Heap of uses that wait to be written to the recording.", (double)
                        queuedBytes.get());
        visitor.gauge("tidemark_recording_active", "1 while uses are recorded.", recording ? 1 : 0);
    }

    /** Writes what is queued, within a second, and ends the recording. */
    @Override
    public void close() {
        open = false;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (files) {
            boolean last = false;
            while (recording && !(last && queue.isEmpty())) {
                last = !open;
                writeQueued();
                if (open && queue.isEmpty()) {
                    LockSupport.parkNanos(PERIOD_MILLIS * 1_000_000);
                }
            }
        } catch (IOException e) {
            LOG.warn("recording to {} ends: {}", options.file(), FileTrouble.reason(e));
        } finally {
            end();
            bytes = files.bytes();
        }
    }

    /** Takes no more uses; those that are queued still are dropped. */
    private void end() {
        recording = false;
        dropQueued();
    }

    /** By any thread, once nothing is recorded any more. */
    private void dropQueued() {
        for (BlockUse use = queue.poll(); use != null; use = queue.poll()) {
            queuedBytes.addAndGet(-use.weight());
            dropped.increment();
        }
    }

    private void writeQueued() throws IOException {
        for (int i = 0; i < UNFLUSHED_USES && recording; i++) {
            BlockUse next = queue.poll();
            if (next == null) {
                break;
            }
            queuedBytes.addAndGet(-next.weight());
            write(next);
        }
        tellDropped();
        files.flush();
        bytes = files.bytes();
    }

    private void write(BlockUse next) throws IOException {
        lastMicros = Math.max(0, (next.nanos() - startNanos) / 1_000);
        Use use = new Use(
                lastMicros,
                next.client(),
                next.kind(),
                next.joined(),
                next.key().map(keys::of).orElse(BlockId.NONE),
                next.parent().map(keys::of),
                next.bytes(),
                next.tail(),
                next.ttlMillis());
        written.increment();
        add(use);
    }

    private void tellDropped() throws IOException {
        long more = dropped.sum() - toldDropped;
        if (more > 0 && recording) {
            toldDropped += more;
            add(new Use(lastMicros, 0, UseKind.LOST, false, BlockId.NONE, Optional.empty(), more, false, Use.NO_TTL));
        }
    }

    private void add(Use use) throws IOException {
        if (!files.write(use)) {
            recording = false;
            LOG.warn("recording {} is full and ends", options.file());
        }
    }
}
