package io.tidemark.index.prefix;

/**
 * The counts of a tree at one moment, safe to hand to another thread.
 *
 * @param nodes nodes without the root
 * @param evictableUnits units on the device under no lock
 * @param lockedUnits units on the device under a lock
 * @param deviceLeaves nodes that may be evicted from the device
 * @param hostLeaves nodes that may be evicted from the host
 * @param writesInFlight backups started and not done
 * @param loadsInFlight loads started and not done
 * @param sessionMarks paths that sessions were last seen on
 * @param heapBytes bytes of nodes, tokens and edges
 */
public record TreeStats(
        int nodes,
        long evictableUnits,
        long lockedUnits,
        int deviceLeaves,
        int hostLeaves,
        int writesInFlight,
        int loadsInFlight,
        int sessionMarks,
        long heapBytes) {}
