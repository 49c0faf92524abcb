package io.tidemark.core.pool;

import io.tidemark.core.medium.Medium;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Ends of copies that media which outlive the process have noted, and maybe not written yet, found by the hash of the
 * key. A delete or a put waits for those of its key before it is answered, whoever ended the copies and when: an eviction
 * or a promotion that nobody waited for must not bring an older value back after the key was written again.
 *
 * <p>A mark is kept for {@value #SLOTS} groups of keys and each device. Where two keys share a group, one may wait for the
 * other's end; it never waits too little. On a device that takes no writes that wait would have no end, for the whole group:
 * there each key is remembered by itself, {@value #NEVER_MOST} of them, and only more than that by their groups. An end is
 * noted under the entry lock that takes the copy out of sight, so who holds that lock next finds it here. No lock of its own,
 * but a leaf for keys of devices without writes.
 */
final class UnwrittenEnds {
    private static final int SLOTS = 1 << 14;

    /** Keys of a device without writes; so many take 16 MiB. */
    private static final int NEVER_MOST = 1 << 20;

    /** How long one call waits for all devices together. */
    private static final long WAIT_MILLIS_MAX = 5_000;

    /**
     * What one device has noted.
     *
     * @param marks the last one of each group; empty where nothing outlives the process
     */
    private record Noted(AtomicLongArray marks, NeverWritten never) {
        void add(long hash, long mark) {
            marks.accumulateAndGet(slot(hash), mark, Math::max);
        }

        /** The mark to wait for before a key is answered. */
        long last(long hash) {
            return never.contains(hash) ? NEVER : marks.get(slot(hash));
        }

        long lastOfAll() {
            long last = never.isEmpty() ? Medium.NO_END : NEVER;
            for (int slot = 0; slot < SLOTS; slot++) {
                last = Math.max(last, marks.get(slot));
            }
            return last;
        }
    }

    /** A mark that no device reaches. */
    private static final long NEVER = Long.MAX_VALUE;

    private final List<Backend> devices;
    /** By number of the backend. */
    private final List<Noted> noted;

    UnwrittenEnds(List<Backend> backends) {
        this(backends, NEVER_MOST);
    }

    UnwrittenEnds(List<Backend> backends, int neverMost) {
        devices = backends.stream().filter(Backend::isDevice).toList();
        noted = backends.stream()
                .map(backend ->
                        new Noted(new AtomicLongArray(backend.isDevice() ? SLOTS : 0), new NeverWritten(neverMost)))
                .toList();
    }

    /** Notes the end of a copy; under the lock of its entry, or by the one who alone knows of it. */
    void note(Backend backend, long copy, LongSupplier hash) {
        long mark = backend.medium.noteEnd(copy);
        if (mark == Medium.NO_END) {
            return;
        }
        if (backend.medium.recordsEnds()) {
            noted.get(backend.number).add(hash.getAsLong(), mark);
        } else {
            noteNever(backend, hash.getAsLong());
        }
    }

    /** Notes that a copy may outlive its end, on a device that takes no writes. */
    void noteNever(Backend backend, long hash) {
        Noted here = noted.get(backend.number);
        if (!here.never().add(hash)) {
            here.add(hash, NEVER);
        }
    }

    /** Whether a write of this key would have to wait for a device. */
    boolean any(long hash) {
        return devices.stream()
                .anyMatch(device ->
                        !device.medium.endsWritten(noted.get(device.number).last(hash)));
    }

    /** The devices where what ended under these keys is not written yet. */
    Set<String> unwritten(long... hashes) {
        return unwritten(of(hashes)).stream().map(end -> end.device().name()).collect(Collectors.toSet());
    }

    /** As {@link #unwritten}, for an answer that is given all the same. */
    Set<String> giveUp(long... hashes) {
        List<Unwritten> unwritten = unwritten(of(hashes));
        unwritten.forEach(end -> end.device().missedEnd("too many wait for it"));
        return unwritten.stream().map(end -> end.device().name()).collect(Collectors.toSet());
    }

    /** Returns once what ended under these keys is on disk; answers the devices where it could not be written. */
    Set<String> await(long... hashes) {
        return hashes.length == 0 ? Set.of() : await(of(hashes));
    }

    private static MarkOf of(long... hashes) {
        return ofDevice -> {
            long last = Medium.NO_END;
            for (long hash : hashes) {
                last = Math.max(last, ofDevice.last(hash));
            }
            return last;
        };
    }

    /** Returns once all that ended is on disk; answers the devices where it could not be written. */
    Set<String> awaitAll() {
        return await(Noted::lastOfAll);
    }

    private interface MarkOf {
        long in(Noted ofDevice);
    }

    /** What a device still has to write. */
    private record Unwritten(Backend device, long mark) {}

    private List<Unwritten> unwritten(MarkOf last) {
        return devices.stream()
                .map(device -> new Unwritten(device, last.in(noted.get(device.number))))
                .filter(end -> !end.device().medium.endsWritten(end.mark()))
                .toList();
    }

    private Set<String> await(MarkOf last) {
        List<Unwritten> unwritten = unwritten(last);
        // Side by side: one that hangs takes no time from the others.
        unwritten.stream().skip(1).forEach(end -> end.device().medium.beginEnds(end.mark()));
        Set<String> failed = new TreeSet<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS_MAX);
        for (Unwritten each : unwritten) {
            if (!await(each.device(), each.mark(), end)) {
                failed.add(each.device().name());
            }
        }
        return failed;
    }

    private static boolean await(Backend device, long mark, long endNanos) {
        try {
            if (!device.medium.endsWritten(mark)) {
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
                device.medium.awaitEnds(mark, Math.max(0, leftMillis));
            }
            return true;
        } catch (IOException e) {
            device.missedEnd(String.valueOf(e.getMessage()));
            return false;
        }
    }

    static int slot(long hash) {
        // The low bits choose the stripe.
        return (int) (hash >>> Integer.SIZE) & (SLOTS - 1);
    }
}
