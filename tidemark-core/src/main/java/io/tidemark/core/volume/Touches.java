package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;

/**
 * Uses that clients have told us of (see {@link TouchLog}), newest per block: a table from the low 64 bits of the hash
 * and the rank to a second. When it is full the older half is forgotten; such a block falls back to its file's stamps.
 * Guarded by itself.
 */
final class Touches {
    /** Blocks remembered at most: 24 MiB. */
    static final int ENTRIES_MAX = 1 << 20;

    @GuardedBy("this")
    private long[] keys = new long[0];

    @GuardedBy("this")
    private int[] seconds = new int[0];

    @GuardedBy("this")
    private int size;

    private volatile boolean any;

    /** Whether anything was ever told: spares the look-up where no client does. */
    boolean any() {
        return any;
    }

    synchronized void touch(RankDir rank, long hash, long atSeconds) {
        any = true;
        if (2 * (size + 1) > keys.length) {
            resize();
        }
        int at = find(key(rank, hash));
        if (seconds[at] == 0) {
            keys[at] = key(rank, hash);
            size++;
        }
        seconds[at] = Math.max(seconds[at], (int) atSeconds);
    }

    /** Last use told, in seconds since 1970; 0 when none is known. */
    synchronized long seconds(RankDir rank, Layout.BlockHash hash) {
        return hash.known() && size > 0 ? seconds[find(key(rank, hash.value()))] : 0;
    }

    private static long key(RankDir rank, long hash) {
        return hash ^ rank.id() * 0x9E3779B97F4A7C15L;
    }

    @GuardedBy("this")
    private int find(long key) {
        int mask = keys.length - 1;
        int at = (int) ((key * 0xD6E8FEB86659FD93L) >>> 40) & mask;
        while (seconds[at] != 0 && keys[at] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    @GuardedBy("this")
    private void resize() {
        long[] oldKeys = keys;
        int[] oldSeconds = seconds;
        boolean full = oldKeys.length == 2 * ENTRIES_MAX;
        int oldest = full ? median(oldSeconds) : 0;
        int length = full ? oldKeys.length : Math.max(1024, oldKeys.length * 2);
        keys = new long[length];
        seconds = new int[length];
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldSeconds[i] > oldest) {
                int at = find(oldKeys[i]);
                keys[at] = oldKeys[i];
                seconds[at] = oldSeconds[i];
                size++;
            }
        }
    }

    private static int median(int[] seconds) {
        int[] told =
                Arrays.stream(seconds).filter(second -> second != 0).sorted().toArray();
        return told[told.length / 2];
    }
}
