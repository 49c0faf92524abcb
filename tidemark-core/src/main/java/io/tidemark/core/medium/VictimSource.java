package io.tidemark.core.medium;

import java.util.List;

/** Proposes victims, coldest first, and frees nothing. */
public interface VictimSource<H> {
    /** Offers of what may be freed now, coldest first; empty when there is none or no order is kept. */
    List<Offer<H>> offers(OfferBudget budget);
}
