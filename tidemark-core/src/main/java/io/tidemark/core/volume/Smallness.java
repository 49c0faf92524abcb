package io.tidemark.core.volume;

import java.util.Locale;
import java.util.Optional;

/** Says that a whole cache is less than what would have to go: something else fills the volume. */
final class Smallness {
    private Smallness() {}

    /**
     * How small the cache is; empty when enough of it could go.
     *
     * @param cache what is in our share of it
     * @param share our part of the volume, from 0 to 1
     */
    static Optional<String> of(Estimate cache, double share, Usage usage, Thresholds marks) {
        if (share <= 0) {
            return Optional.empty();
        }
        double bytes = cache.totalBytes() / share;
        double files = (double) cache.files() / share;
        if (bytes < (double) usage.bytesAbove(marks.target())) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "the cache is %s of the %s in use, less than would have to go: something else fills the volume",
                    inUnits(bytes),
                    inUnits((double) usage.usedBytes())));
        }
        if (files < (double) usage.inodesAbove(marks.target())) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "the cache is %.0f of the %d inodes in use, less than would have to go: something else fills the volume",
                    files,
                    usage.usedInodes()));
        }
        return Optional.empty();
    }

    private static String inUnits(double bytes) {
        double value = bytes;
        int unit = 0;
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
        while (value >= 1024 && unit + 1 < units.length) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f %s" : "%.1f %s", value, units[unit]);
    }
}
