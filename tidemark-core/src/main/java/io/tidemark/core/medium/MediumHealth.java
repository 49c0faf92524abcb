package io.tidemark.core.medium;

/**
 * Whether a medium works. An unhealthy one refuses new blocks and fails reads at once, and tries again by itself.
 *
 * @param why empty when healthy
 */
public record MediumHealth(boolean healthy, String why) {
    public static final MediumHealth HEALTHY = new MediumHealth(true, "");

    /** Out of order for the given reason. */
    public static MediumHealth unhealthy(String why) {
        return new MediumHealth(false, why);
    }
}
