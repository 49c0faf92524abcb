package io.tidemark.index.prefix;

/**
 * How the tree uses its host tier.
 *
 * @param policy when nodes are backed up
 * @param hitThreshold hits from which an insert backs a node up; write-through policies only
 * @param loadBackThreshold units below which a load-back is not worth its while
 */
public record HostOptions(WritePolicy policy, int hitThreshold, int loadBackThreshold) {
    /** No host tier. */
    public static final HostOptions NONE = new HostOptions(WritePolicy.NONE, 1, 1);

    /** Units below which a load-back is refused unless set otherwise. */
    public static final int DEFAULT_LOAD_BACK_THRESHOLD = 10;

    /** Checks the thresholds. */
    public HostOptions {
        if (hitThreshold < 1 || loadBackThreshold < 0) {
            throw new IllegalArgumentException(
                    "hit threshold must be at least 1 and load-back threshold at least 0, got " + hitThreshold + " and "
                            + loadBackThreshold);
        }
    }

    /** The policy with its usual thresholds. */
    public static HostOptions of(WritePolicy policy) {
        return new HostOptions(
                policy, policy == WritePolicy.WRITE_THROUGH_SELECTIVE ? 2 : 1, DEFAULT_LOAD_BACK_THRESHOLD);
    }
}
