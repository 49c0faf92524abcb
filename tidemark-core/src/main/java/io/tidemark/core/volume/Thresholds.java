package io.tidemark.core.volume;

/**
 * Marks of a volume in percent, for bytes and inodes alike.
 *
 * @param cleanup deletion starts at or above it
 * @param target deletion ends at or below it
 * @param critical at or above it no age protects a file
 * @param floorSeconds below the critical mark files used more recently than this stay
 */
public record Thresholds(double cleanup, double target, double critical, long floorSeconds) {
    public Thresholds {
        if (!(target > 0 && target < cleanup && cleanup <= 100 && critical >= cleanup && critical <= 100)) {
            throw new IllegalArgumentException("thresholds target " + target + ", cleanup " + cleanup + ", critical "
                    + critical + "; expected 0 < target < cleanup <= critical <= 100");
        }
    }
}
