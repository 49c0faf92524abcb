package io.tidemark.core.pool;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads from below, by block: which of them is the one that promotes it. A block that is being promoted counts no more reads
 * until that is {@linkplain #over over}. Entries are named by objects that are there anyway: the end of a promotion asks for no
 * memory. Guarded by itself, a leaf below the entry locks.
 */
final class PromotionHits {
    /** Blocks whose reads are counted at most. */
    private static final int COUNTED_MAX = 65_536;

    /** An entry with one value: its row may come to belong to another block. */
    private record Counted(Integer entry, long generation) {}

    /** Entries with a queued or running promotion. */
    @GuardedBy("this")
    private final Set<Integer> promoting = new HashSet<>();

    /** From the oldest on. */
    @GuardedBy("this")
    private final Map<Counted, Integer> hits = new LinkedHashMap<>();

    /** Counts one read; whether it is the one that promotes, as the {@code needed}th. */
    synchronized boolean count(Integer entry, long generation, int needed) {
        if (promoting.contains(entry)) {
            return false;
        }
        Counted read = new Counted(entry, generation);
        if (needed > 1 && hits.merge(read, 1, Integer::sum) < needed) {
            if (hits.size() > COUNTED_MAX) {
                hits.remove(hits.keySet().iterator().next());
            }
            return false;
        }
        hits.remove(read);
        promoting.add(entry);
        return true;
    }

    /** The promotion is over, or came to nothing: the entry may be promoted again. */
    synchronized void over(Integer entry) {
        promoting.remove(entry);
    }
}
