package io.tidemark.core.medium;

import java.util.List;
import java.util.function.Predicate;

/** Proposes victims, coldest first, and frees nothing. */
public interface VictimSource<H> {
    /**
     * Offers of what may be freed now, coldest first; empty when there is none or no order is kept.
     *
     * @param leftOut those that are passed over: they were offered lately and could not go. May not block or take locks
     */
    List<Offer<H>> offers(OfferBudget budget, Predicate<H> leftOut);
}
