package io.tidemark.core.pool;

/**
 * When a block goes up to the entry tier.
 *
 * @param hits number of reads from the lower tier that queue it; 1 = on every read
 * @param move whether the lower copy goes away afterwards
 */
public record Promotion(int hits, boolean move) {
    public Promotion {
        if (hits < 1) {
            throw new IllegalArgumentException("promotion after " + hits + " hits; expected 1 or more");
        }
    }
}
