package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * What a rehearsal would have removed: each file once, however often walks find it again, because it is still there. A
 * file that a whole walk no longer finds has been removed by somebody else, and is forgotten: usage as measured lacks it
 * already.
 *
 * <p>Files are known by 64 bits of their rank and path. 12 bytes a place, at most two places a file; no more than
 * {@code capacity} files. Guarded by itself.
 */
final class RehearsedFiles {
    private static final int PLACES_FIRST = 1_024;
    private static final int SECTOR_BITS = 9;

    /** Bits of a place's state beside the sectors: found by the walk going on, or added since it began; part of the sum. */
    private static final int FOUND = 1 << 31;

    private static final int SUMMED = 1 << 30;
    private static final int SECTORS_MAX = SUMMED - 1;

    private final int capacity;

    /** 0 in a place that is free. */
    @GuardedBy("this")
    private long[] hashes = new long[0];

    @GuardedBy("this")
    private int[] states = new int[0];

    @GuardedBy("this")
    private RehearsalSum sum = RehearsalSum.NOTHING;

    private volatile int size;

    RehearsedFiles(int capacity) {
        this.capacity = capacity;
    }

    /** What became of a file. */
    enum Added {
        NEW,
        KNOWN,
        /** There is no room for more: what goes on cannot be told any more. */
        FULL
    }

    /** Whether there is nothing: spares walks the question. */
    boolean isEmpty() {
        return size == 0;
    }

    /** Takes a file that would go. */
    synchronized Added add(VolumeFile file, long bytes) {
        long hash = hash(file.rank(), file.path());
        if (2 * (size + 1) > hashes.length) {
            move(Math.max(PLACES_FIRST, 2 * hashes.length), false);
        }
        int at = find(hash);
        if (hashes[at] == hash) {
            return Added.KNOWN;
        }
        if (size >= capacity) {
            return Added.FULL;
        }
        hashes[at] = hash;
        states[at] = FOUND | SUMMED | (int) Math.min(SECTORS_MAX, bytes >> SECTOR_BITS);
        size++;
        sum = sum.plus(bytes >> SECTOR_BITS << SECTOR_BITS, file.recencySeconds());
        return Added.NEW;
    }

    /** Whether a file that a walk has found is one of these. */
    synchronized boolean found(RankDir rank, byte[] path) {
        if (size == 0) {
            return false;
        }
        long hash = hash(rank, path);
        int at = find(hash);
        boolean known = hashes[at] == hash;
        if (known) {
            states[at] |= FOUND;
        }
        return known;
    }

    /** A walk over everything begins. */
    synchronized void walkBegins() {
        for (int i = 0; i < states.length; i++) {
            states[i] &= ~FOUND;
        }
    }

    /** The walk has ended and was whole: what it has not found is not there any more. */
    synchronized void walkEnded() {
        long files = 0;
        long bytes = 0;
        for (int i = 0; i < states.length; i++) {
            if (hashes[i] != 0 && (states[i] & FOUND) == 0 && (states[i] & SUMMED) != 0) {
                files++;
                bytes += (long) (states[i] & SECTORS_MAX) << SECTOR_BITS;
            }
        }
        sum = sum.files() == files ? RehearsalSum.NOTHING : sum.less(files, bytes);
        if (size > 0) {
            move(hashes.length, true);
        }
    }

    /** The files and bytes that would be gone, since the sum was last told. */
    synchronized RehearsalSum sum() {
        return sum;
    }

    /** The sum has been told: it begins again at nothing, while the files stay known. */
    synchronized void told() {
        sum = RehearsalSum.NOTHING;
        for (int i = 0; i < states.length; i++) {
            states[i] &= ~SUMMED;
        }
    }

    /** Forgets everything. */
    synchronized void clear() {
        hashes = new long[0];
        states = new int[0];
        size = 0;
        sum = RehearsalSum.NOTHING;
    }

    /** Moves everything, or what was found only, into so many new places. */
    @GuardedBy("this")
    private void move(int places, boolean foundOnly) {
        long[] oldHashes = hashes;
        int[] oldStates = states;
        hashes = new long[places];
        states = new int[places];
        int moved = 0;
        for (int i = 0; i < oldHashes.length; i++) {
            if (oldHashes[i] != 0 && (!foundOnly || (oldStates[i] & FOUND) != 0)) {
                int at = find(oldHashes[i]);
                hashes[at] = oldHashes[i];
                states[at] = oldStates[i];
                moved++;
            }
        }
        size = moved;
    }

    @GuardedBy("this")
    private int find(long hash) {
        int mask = hashes.length - 1;
        int at = (int) (hash >>> Integer.SIZE) & mask;
        while (hashes[at] != 0 && hashes[at] != hash) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private static long hash(RankDir rank, byte[] path) {
        long hash = 0xcbf29ce484222325L + rank.id();
        for (byte value : path) {
            hash = (hash ^ value) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 32) * 0xD6E8FEB86659FD93L;
        hash ^= hash >>> 32;
        return hash == 0 ? 1 : hash;
    }
}
