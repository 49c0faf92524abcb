package io.tidemark.core.medium;

/**
 * How much to offer at most: offers stop once either limit is covered.
 *
 * @param bytes allocated bytes wanted
 * @param copies number of offers wanted
 */
public record OfferBudget(long bytes, int copies) {}
