package io.tidemark.index.replay;

/** Capacities of a DRAM tier over an SSD tier. */
public record TierSizes(CacheSize dram, CacheSize ssd) {
    private static final String DRAM = "dram=";
    private static final String SSD = ",ssd=";

    /** Reads {@code dram=2%,ssd=20%}. */
    public static TierSizes parse(String text) {
        int split = text.indexOf(SSD);
        if (!text.startsWith(DRAM) || split < 0) {
            throw new IllegalArgumentException(
                    "tiers are dram=SIZE,ssd=SIZE, for example dram=2%,ssd=20%, got '" + text + "'");
        }
        return new TierSizes(
                CacheSize.parse(text.substring(DRAM.length(), split)),
                CacheSize.parse(text.substring(split + SSD.length())));
    }

    /** Both sizes as written. */
    public String label() {
        return dram.label() + ":" + ssd.label();
    }
}
