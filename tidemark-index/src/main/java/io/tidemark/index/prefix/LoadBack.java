package io.tidemark.index.prefix;

/** What became of a wish to load a node back from the host. */
public enum LoadBack {
    /** The transfer is on its way; the path is locked until it is done. */
    STARTED,
    /** The node is on the device already. */
    ON_DEVICE,
    /** A load of the same node is on its way. */
    IN_FLIGHT,
    /** Too few units to be worth it, or no room on the device, or part of the path is in another load. */
    REFUSED
}
