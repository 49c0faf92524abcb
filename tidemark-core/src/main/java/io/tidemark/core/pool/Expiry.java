package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Ends of life of the entries that have one, by the monotonic clock. Changed under the entry's lock; the monitor is a
 * leaf below it.
 */
final class Expiry {
    private record Due(long nanos, int entry) {}

    private final Map<Integer, Due> byEntry = new HashMap<>();
    /** Differences, not values: the monotonic clock may wrap. */
    private final NavigableSet<Due> byTime = new TreeSet<>((a, b) -> {
        int order = Long.signum(a.nanos() - b.nanos());
        return order != 0 ? order : Integer.compare(a.entry(), b.entry());
    });

    synchronized void set(int entry, long nanos) {
        forget(entry);
        Due due = new Due(nanos, entry);
        byEntry.put(entry, due);
        byTime.add(due);
    }

    /** Number of entries that have an end. */
    synchronized int size() {
        return byEntry.size();
    }

    /** Takes the end of life away; whether there was one. */
    synchronized boolean forget(int entry) {
        Due due = byEntry.remove(entry);
        return due != null && byTime.remove(due);
    }

    /** When the entry ends. */
    synchronized OptionalLong end(int entry) {
        Due due = byEntry.get(entry);
        return due == null ? OptionalLong.empty() : OptionalLong.of(due.nanos());
    }

    /** Entries whose time is over, up to {@code limit}. */
    synchronized List<Integer> due(long nowNanos, int limit) {
        List<Integer> due = new ArrayList<>();
        for (Due next : byTime) {
            if (next.nanos() - nowNanos > 0 || due.size() == limit) {
                break;
            }
            due.add(next.entry());
        }
        return due;
    }
}
