package io.tidemark.core.medium;

import io.tidemark.index.policy.VictimOrder;

/**
 * Where the next call for offers begins. With the coldest, but where more than one slice at the cold end could not go: then
 * where the last call ended, so that those who may not go (leased for two seconds, for example) are not looked at again by
 * each call. After {@value #CALLS_MAX} calls, or at the end of the order, it begins with the coldest again.
 *
 * <p>Thread-safe; a hint, no lock is held between a call's start and its end.
 */
final class OfferWalk {
    private static final int CALLS_MAX = 64;

    /**
     * How one call begins.
     *
     * @param from a member, or {@link VictimOrder#NONE} for the coldest
     * @param calls how many calls in a row did not begin with the coldest, this one counted
     */
    record Start(int from, int calls) {}

    private static final Start COLDEST = new Start(VictimOrder.NONE, 0);

    private volatile Start next = COLDEST;

    Start start() {
        return next;
    }

    /** A call that began like this looked at so many slices, and has not seen this member yet. */
    void ended(Start began, int slices, int at) {
        boolean coldEndIsHeld = began.calls() > 0 || slices > 1;
        boolean goesOn = coldEndIsHeld && at != VictimOrder.NONE && began.calls() < CALLS_MAX;
        next = goesOn ? new Start(at, began.calls() + 1) : COLDEST;
    }
}
