package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyTable;
import io.tidemark.core.pool.CopyStates.NewCopy;
import io.tidemark.core.pool.Transition.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One try of a transition: what is held of its block, and what it came to so far. Owned by one worker. */
final class Move {
    /**
     * A block that is held in its source while it is copied.
     *
     * @param source where the pins are
     */
    record Held(CopyTable source, BlockKey key, long generation, List<RecordKey> records) {
        RecordKey record(int part) {
            return records.stream()
                    .filter(record -> record.key().part() == part)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** What this try is a part of, and what follows from it for the next one. */
    enum How {
        /** By itself; it stays so. */
        ALONE,
        /** Copied with others, or not at all because the device is busy: then they are tried together again. */
        TOGETHER,
        /** Could not be copied with the others: each of them is tried by itself at once. */
        APART
    }

    /** Parts that most blocks have at most; of those no list here grows while something is held. */
    private static final int PARTS = 2;

    final Transition transition;
    /** Reservations in the target that are neither findable nor given back: one a part, and sealed, once it {@link #landed}. */
    final List<NewCopy> copies = new ArrayList<>(PARTS);
    /** What went out of sight by this move and is to be freed. */
    final List<Doomed> doomed = new ArrayList<>(2 * PARTS);

    Optional<Held> held = Optional.empty();
    Outcome outcome = Outcome.SKIPPED;
    How how = How.ALONE;

    Move(Transition transition) {
        this.transition = transition;
    }

    /** Of a batch, until it is copied with the others: each is to be tried by itself. */
    void apart() {
        how = How.APART;
        outcome = Outcome.NO_ROOM;
    }

    /** The devices where this try has made copies; read by others. */
    Transition.Reach reach() {
        return transition.reach();
    }

    /** Whether all parts are written and sealed in the target. */
    boolean landed() {
        return outcome == Outcome.LANDED;
    }
}
