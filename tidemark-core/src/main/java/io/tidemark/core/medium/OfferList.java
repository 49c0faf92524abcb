package io.tidemark.core.medium;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/** Collects offers until their budget is covered. */
final class OfferList {
    private static final int LENGTH_GUESS_MAX = 1024;

    private final OfferBudget budget;
    private final LongPredicate mayGo;
    private final List<Offer<Long>> offers;
    private long bytes;

    OfferList(OfferBudget budget, LongPredicate mayGo) {
        this.budget = budget;
        this.mayGo = mayGo;
        offers = new ArrayList<>(Math.clamp(budget.copies(), 0, LENGTH_GUESS_MAX));
    }

    boolean wantsMore() {
        return bytes < budget.bytes() && offers.size() < budget.copies();
    }

    /** Offers the copy, if it may go. */
    void consider(long copy, long copyBytes) {
        if (mayGo.test(copy)) {
            offers.add(new Offer<>(copy, copyBytes));
            bytes += copyBytes;
        }
    }

    List<Offer<Long>> list() {
        return offers;
    }
}
