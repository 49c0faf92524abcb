package io.tidemark.core.pool;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What a change that is made has still to wait for before it is answered: moves that carry what it took out of sight have to
 * notice, and the ends of these copies and of all earlier ones of the same keys have to be written.
 */
public final class Unsettled {
    private final Settlement settlement;
    private final List<Doomed> carried;
    private final long[] hashes;

    /**
     * @param doomed what went out of sight
     * @param hashes of the keys whose older values must not come back, also where nothing was there to be discarded
     */
    Unsettled(Settlement settlement, List<Doomed> doomed, long... hashes) {
        this.settlement = settlement;
        carried = doomed.isEmpty()
                ? List.of()
                : doomed.stream().filter(Doomed::carried).toList();
        this.hashes = hashes;
    }

    /** Whether there is nothing to wait for now. */
    boolean isEmpty() {
        // In this order: the end of what a move made is noted before the move is over.
        return carried.stream().noneMatch(settlement::isCarried)
                && Arrays.stream(hashes).noneMatch(settlement::endsPending);
    }

    /** Backends that are waited for. */
    public Set<String> backends() {
        Set<String> backends = new TreeSet<>();
        carried.forEach(copy -> backends.addAll(settlement.carriedTo(copy)));
        backends.addAll(settlement.endsPendingIn(hashes));
        return backends;
    }

    /** Both of them: they are waited for no longer than one. */
    public Unsettled and(Unsettled other) {
        return new Unsettled(
                settlement,
                Stream.concat(carried.stream(), other.carried.stream()).toList(),
                LongStream.concat(Arrays.stream(hashes), Arrays.stream(other.hashes))
                        .toArray());
    }

    /**
     * Waits, 7 s at most.
     *
     * @return names of backends that could not write all of it in time, from which something may be back after a restart
     */
    public Set<String> await() {
        return settlement.settle(carried, hashes);
    }

    /** Nobody is going to wait; answers as {@link #await} of what is not written yet, and counts it so. */
    public Set<String> giveUp() {
        return settlement.giveUp(carried, hashes);
    }
}
