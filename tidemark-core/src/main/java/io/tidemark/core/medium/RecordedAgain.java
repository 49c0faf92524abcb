package io.tidemark.core.medium;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Copies of which the files may hold several records, the youngest of which counts: those that were recorded again since
 * the last checkpoint merged what it found. A large number of them makes the next checkpoint come early, so the memory
 * for them is bounded. Thread-safe.
 */
final class RecordedAgain {
    /** About 25 MB of heap. */
    static final int MANY = 1 << 18;

    private final Map<Long, Long> tickets = new ConcurrentHashMap<>();

    /** A copy is about to be recorded again: before its record can reach a file. */
    void begin(long copy) {
        tickets.put(copy, Long.MAX_VALUE);
    }

    /** The record has this ticket. */
    void recorded(long copy, long ticket) {
        tickets.replace(copy, ticket);
    }

    /** The files of an earlier process hold several records of this copy: the next checkpoint merges them. */
    void foundAgain(long copy) {
        tickets.put(copy, 0L);
    }

    /** Whether there may be several records of this copy. */
    boolean contains(long copy) {
        return tickets.containsKey(copy);
    }

    boolean isEmpty() {
        return tickets.isEmpty();
    }

    /** Whether a checkpoint should come soon. */
    boolean isLarge() {
        return tickets.size() > MANY;
    }

    /** The copy is gone. */
    void forget(long copy) {
        tickets.remove(copy);
    }

    /** A checkpoint is whole, with one record each of all up to this ticket. */
    void merged(long ticket) {
        tickets.values().removeIf(last -> last <= ticket);
    }
}
