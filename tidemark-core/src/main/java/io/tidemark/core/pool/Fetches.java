package io.tidemark.core.pool;

import io.tidemark.core.medium.CorruptBlockException;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SysException;
import io.tidemark.core.medium.UnavailableException;
import io.tidemark.core.medium.Workers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Brings values from media that cannot be addressed to memory, on threads of its own for each backend. Small reads have
 * many: a thread that comes back from its device takes the next read that waits, and the device has the others to do meanwhile.
 * Large ones have half as many, which are enough to keep a device busy, and hold as much memory. Reads that ask for the same of a copy
 * while it is being fetched share one device read. Queues are bounded; beyond it the answer is busy, never a miss.
 *
 * <p>Each read that waits holds a pin of its own, so the copy stays while anybody can use the bytes. Where all have ended,
 * it may go in the middle of the device read, and nobody is given what that found.
 */
final class Fetches implements AutoCloseable {
    private static final int QUEUE = 1_024;
    /** Of which reads are small. */
    private static final long SMALL_BYTES = 1 << 20;

    /** A device read: spans of a copy, in order. */
    private record Wanted(Backend backend, long copy, List<ByteRange> spans) {
        private Lane lane() {
            return new Lane(backend, ByteRange.totalBytes(spans) > SMALL_BYTES);
        }
    }

    /** What threads are for. */
    private record Lane(Backend backend, boolean large) {}

    private final Staging staging;
    private final int smallThreads;
    private final int largeThreads;
    /** Threads of each backend that was read from, so that one that hangs holds up no other. */
    private final Map<Lane, Workers> threads = new ConcurrentHashMap<>();

    /** Who waits for which running read. Guarded by this. */
    private final Map<Wanted, List<Consumer<Fetched>>> running = new HashMap<>();

    private final LongAdder reads = new LongAdder();
    private final LongAdder shared = new LongAdder();

    Fetches(DeviceReads reads) {
        staging = new Staging(NativeSys.INSTANCE, reads.stagedBytes(), reads.hugePages());
        largeThreads = Math.ceilDiv(reads.threads(), 2);
        // Half of the memory at most is being read into: a read that finds none is refused, one that waits is not.
        smallThreads = Math.clamp(reads.stagedBytes() / 2 / SMALL_BYTES, largeThreads, reads.threads());
    }

    private Workers threadsOf(Lane lane) {
        return threads.computeIfAbsent(lane, reader -> {
            int most = reader.large() ? largeThreads : smallThreads;
            return new Workers(
                    most, QUEUE, "tidemark-fetch-" + reader.backend().name() + (reader.large() ? "-large-" : "-"));
        });
    }

    /** Fetches what a read asks for of the copy that it has pinned; answers once, from another thread or from this one. */
    void fetch(ReadPin pin, Consumer<Fetched> answer) {
        Wanted wanted = new Wanted(pin.backend, pin.copy, pin.spans());
        synchronized (this) {
            List<Consumer<Fetched>> waiting = running.get(wanted);
            if (waiting != null) {
                shared.increment();
                waiting.add(answer);
                return;
            }
            running.put(wanted, new ArrayList<>(List.of(answer)));
        }
        try {
            threadsOf(wanted.lane()).execute(() -> read(wanted));
        } catch (RejectedExecutionException e) {
            done(wanted, new Fetched.Busy());
        }
    }

    private void read(Wanted wanted) {
        Optional<Staging.Staged> staged = Optional.empty();
        Fetched fetched = new Fetched.Unavailable();
        try {
            staged = staging.take(wanted.spans());
            fetched = staged.isEmpty() ? new Fetched.Busy() : read(wanted, staged.get());
        } finally {
            // Whatever happened: those who wait are told, and the key can be fetched again.
            try {
                done(wanted, fetched);
            } finally {
                staged.ifPresent(Staging.Staged::release);
            }
        }
    }

    private Fetched read(Wanted wanted, Staging.Staged staged) {
        reads.increment();
        Medium medium = wanted.backend().medium;
        try {
            for (ByteRange span : wanted.spans()) {
                long at = span.offset();
                for (MemorySegment segment : staged.slice(span)) {
                    medium.read(wanted.copy(), at, segment);
                    at += segment.byteSize();
                }
            }
            return new Fetched.Bytes(staged);
        } catch (CorruptBlockException e) {
            return new Fetched.Damaged();
        } catch (UnavailableException e) {
            return new Fetched.Unavailable(); // whatever its health is by now: no device was asked
        } catch (IllegalStateException e) {
            return new Fetched.Unavailable(); // the copy is gone: all who waited have ended
        } catch (IOException e) {
            if (e instanceof SysException failed && Errno.isShortage(failed.errno())) {
                return new Fetched.Busy(); // says nothing of the bytes
            }
            return medium.health().healthy() ? new Fetched.Damaged() : new Fetched.Unavailable();
        }
    }

    private void done(Wanted wanted, Fetched fetched) {
        List<Consumer<Fetched>> waiting;
        synchronized (this) {
            waiting = running.remove(wanted);
        }
        if (waiting == null) {
            throw new IllegalStateException(
                    "nobody waits for a copy in " + wanted.backend().name());
        }
        answerAll(waiting.iterator(), fetched);
    }

    /** An answer that fails leaves no other out. */
    private static void answerAll(Iterator<Consumer<Fetched>> waiting, Fetched fetched) {
        while (waiting.hasNext()) {
            Consumer<Fetched> answer = waiting.next();
            boolean answered = false;
            try {
                answer.accept(
                        fetched instanceof Fetched.Bytes(Staging.Staged staged)
                                ? new Fetched.Bytes(staged.shared())
                                : fetched);
                answered = true;
            } finally {
                if (!answered) {
                    answerAll(waiting, fetched);
                }
            }
        }
    }

    /** Device reads of a backend that wait for a thread. */
    int waiting(Backend backend) {
        return threads.entrySet().stream()
                .filter(reading -> reading.getKey().backend() == backend)
                .mapToInt(reading -> reading.getValue().waiting())
                .sum();
    }

    void show(CounterVisitor visitor) {
        visitor.counter("tidemark_fetches_total", "Device reads for gets.", reads.sum(), "kind", "read");
        visitor.counter("tidemark_fetches_total", "Device reads for gets.", shared.sum(), "kind", "shared");
        visitor.gauge("tidemark_staged_bytes", "Memory of reads that cannot be mapped.", (double) staging.heldBytes());
    }

    /** Starts no more reads. */
    @Override
    public void close() {
        threads.values().forEach(Workers::end);
    }
}
