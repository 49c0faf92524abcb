package io.tidemark.index.prefix;

/** What a match found; reusable, filled by {@link PrefixTree#match}. Lengths are in units. */
public final class MatchResult {
    private int deviceLength;
    private int hostLength;
    private int fullLength;
    private int deviceNode = Nodes.ROOT;
    private int bestNode = Nodes.ROOT;

    /** Units of the key whose slots are on the device. */
    public int deviceLength() {
        return deviceLength;
    }

    /** Units after these that are on the host only; {@link PrefixTree#loadBack} of the best node fetches them. */
    public int hostLength() {
        return hostLength;
    }

    /** Units found in either tier. */
    public int length() {
        return deviceLength + hostLength;
    }

    /**
     * Units of the key whose full values the tree has. More than {@link #length} where a component lets no match end
     * that far down: a request that stores its window or its state there makes it usable.
     */
    public int fullLength() {
        return fullLength;
    }

    /** Last node on the path that is on the device; what a request locks. The root when there is none. */
    public int deviceNode() {
        return deviceNode;
    }

    /** Last node on the path. The root when nothing matched. */
    public int bestNode() {
        return bestNode;
    }

    /** Nothing was found. */
    void clear() {
        set(0, 0, 0, Nodes.ROOT, Nodes.ROOT);
    }

    void set(int deviceLength, int hostLength, int fullLength, int deviceNode, int bestNode) {
        this.deviceLength = deviceLength;
        this.hostLength = hostLength;
        this.fullLength = fullLength;
        this.deviceNode = deviceNode;
        this.bestNode = bestNode;
    }
}
