package io.tidemark.index.replay;

/** Capacities of a DRAM tier over an SSD tier, both in blocks or both in bytes. */
public record TierSizes(CacheSize dram, CacheSize ssd) {
    private static final String DRAM = "dram=";
    private static final String SSD = ",ssd=";

    /** Refuses sizes of two kinds. */
    public TierSizes {
        if (dram.unit() != ssd.unit()) {
            throw new IllegalArgumentException(
                    "tiers are both in blocks or both in bytes, got dram=" + dram.label() + " and ssd=" + ssd.label());
        }
    }

    /**
     * Reads {@code dram=2%,ssd=20%}, of blocks, or {@code dram=2Gi,ssd=20Gi}. Where one size has a unit of bytes both are
     * bytes, and a percentage is one of the bytes of the unique blocks.
     */
    public static TierSizes parse(String text) {
        int split = text.indexOf(SSD);
        if (!text.startsWith(DRAM) || split < 0) {
            throw new IllegalArgumentException(
                    "tiers are dram=SIZE,ssd=SIZE, for example dram=2%,ssd=20% or dram=2Gi,ssd=20Gi, got '" + text
                            + "'");
        }
        String dram = text.substring(DRAM.length(), split);
        String ssd = text.substring(split + SSD.length());
        boolean inBytes = hasUnit(dram) || hasUnit(ssd);
        return inBytes
                ? new TierSizes(CacheSize.parseBytes(dram), CacheSize.parseBytes(ssd))
                : new TierSizes(CacheSize.parse(dram), CacheSize.parse(ssd));
    }

    /** Both sizes as written. */
    public String label() {
        return dram.label() + ":" + ssd.label();
    }

    private static boolean hasUnit(String size) {
        return size.strip().matches("[0-9.]+[A-Za-z]+");
    }
}
