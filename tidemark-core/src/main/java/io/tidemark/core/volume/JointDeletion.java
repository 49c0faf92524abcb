package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.Optional;

/**
 * The rounds of deletion that the sweepers of one volume make together. Each looks at the volume by itself: the first that
 * sees it above its mark has often brought it below again when the next looks, and what the next would then take for its
 * share is a share of the rest. So whoever deletes shows the round that it is in in its lease, and the others take their
 * part of the same round, each once: all go equally deep into their shards.
 *
 * <p>Rounds are counted through for all sweepers; two that begin one at once begin the same, as large as the larger.
 * Begun and ended by the activator, shown and read by the keeper. Guarded by itself.
 */
final class JointDeletion {
    /** The last round that we have had part in; over when we do not delete. */
    @GuardedBy("this")
    private DeletionRound last = DeletionRound.NONE;

    /** The last number that is known to be used. */
    @GuardedBy("this")
    private long highest;

    /** What others do that goes beyond {@link #last}. */
    @GuardedBy("this")
    private Optional<DeletionRound> called = Optional.empty();

    /** Begins the next round, unless others have; the round. */
    synchronized DeletionRound begin(long bytes, long files) {
        if (called.isPresent()) {
            follow(called.get());
        } else {
            highest++;
            last = new DeletionRound(highest, bytes, files);
        }
        return last;
    }

    /** Takes part in what others do: a round as {@link #called} said it, whatever the others have shown since. */
    synchronized void follow(DeletionRound round) {
        last = round;
        highest = Math.max(highest, round.number());
        called = called.filter(this::goesBeyond);
    }

    /** Says that deletion has ended here. */
    synchronized void end() {
        last = last.ended();
    }

    /** Takes in what the others show. */
    synchronized void others(Collection<DeletionRound> rounds) {
        DeletionRound ours = last;
        called = rounds.stream()
                .filter(round -> !round.over())
                .reduce(DeletionRound::with)
                .map(round -> ours.over() ? round : round.with(ours))
                .filter(this::goesBeyond);
        for (DeletionRound round : rounds) {
            highest = Math.max(highest, round.number());
        }
    }

    @GuardedBy("this")
    private boolean goesBeyond(DeletionRound other) {
        boolean larger = other.bytes() > last.bytes() || other.files() > last.files();
        return other.number() > last.number() || (other.number() == last.number() && !last.over() && larger);
    }

    /** What the others are to see: the last round that we know of, over unless we are in it. */
    synchronized DeletionRound shown() {
        return last.over() ? new DeletionRound(highest, 0, 0) : last;
    }

    /** The last round that we have had part in; over when we do not delete. */
    synchronized DeletionRound last() {
        return last;
    }

    /** The round that others make, or make larger than we know it. */
    synchronized Optional<DeletionRound> called() {
        return called;
    }
}
