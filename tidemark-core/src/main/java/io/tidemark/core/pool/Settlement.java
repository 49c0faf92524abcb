package io.tidemark.core.pool;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Waits until what was discarded cannot come back: the moves that carried it have noticed, and the ends of its copies, and of
 * all earlier ones of the same keys, are written. No lock is held meanwhile.
 */
final class Settlement {
    /** How long is waited for the moves of what was discarded to notice, all together. */
    private static final long CARRIED_WAIT_MILLIS = 2_000;

    private static final String STILL_MOVES = "a move there did not end within " + CARRIED_WAIT_MILLIS + " ms";

    private final TransitionQueue transitions;
    private final UnwrittenEnds ends;

    Settlement(TransitionQueue transitions, UnwrittenEnds ends) {
        this.transitions = transitions;
        this.ends = ends;
    }

    /** Waits for an {@link Unsettled}; answers the backends from which something may be back after a restart. */
    Set<String> settle(List<Doomed> doomed, long... hashes) {
        Set<String> unwritten = new TreeSet<>();
        awaitMoves(doomed, movesDeadlineNanos(), unwritten);
        unwritten.addAll(ends.await(hashes));
        return unwritten;
    }

    /** Does not wait for an {@link Unsettled}; answers as {@link #settle}. */
    Set<String> giveUp(List<Doomed> doomed, long... hashes) {
        Set<String> unwritten = new TreeSet<>();
        awaitMoves(doomed, System.nanoTime(), "a move there is under way, and too many wait already", unwritten);
        unwritten.addAll(ends.giveUp(hashes));
        return unwritten;
    }

    /** Until when who discards now waits for moves. */
    long movesDeadlineNanos() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CARRIED_WAIT_MILLIS);
    }

    /**
     * Waits until no move carries any of these copies any more: then the end of what it made is noted.
     *
     * @param unwritten gets the devices where one still does
     */
    void awaitMoves(List<Doomed> doomed, long endNanos, Set<String> unwritten) {
        awaitMoves(doomed, endNanos, STILL_MOVES, unwritten);
    }

    private void awaitMoves(List<Doomed> doomed, long endNanos, String why, Set<String> unwritten) {
        for (Doomed copy : doomed) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            if (copy.carried()) {
                transitions
                        .awaitEnd(copy.backend(), copy.copy(), leftMillis)
                        .ifPresent(carrier -> carrier.reach().devices().forEach(device -> {
                            device.missedEnd(why);
                            unwritten.add(device.name());
                        }));
            }
        }
    }

    /** Waits for all ends that are not written yet, of whatever key; answers as {@link #settle}. */
    Set<String> awaitAllEnds() {
        return ends.awaitAll();
    }

    /** Whether a move carries this copy now. */
    boolean isCarried(Doomed copy) {
        return transitions.awaitEnd(copy.backend(), copy.copy(), 0).isPresent();
    }

    /** Devices on which a move of this copy may have recorded it by now. */
    Set<String> carriedTo(Doomed copy) {
        return transitions.awaitEnd(copy.backend(), copy.copy(), 0).stream()
                .flatMap(carrier -> carrier.reach().devices().stream())
                .map(Backend::name)
                .collect(Collectors.toSet());
    }

    /** Whether the end of an earlier copy of this key is not written yet. */
    boolean endsPending(long hash) {
        return ends.any(hash);
    }

    /** Devices that have still to write the ends of earlier copies of these keys. */
    Set<String> endsPendingIn(long... hashes) {
        return ends.unwritten(hashes);
    }
}
