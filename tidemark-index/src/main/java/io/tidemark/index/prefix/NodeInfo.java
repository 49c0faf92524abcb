package io.tidemark.index.prefix;

/**
 * A node as it is now, for tests, tools and pictures.
 *
 * @param node its id
 * @param parent its parent's id
 * @param namespace its namespace
 * @param length its own units
 * @param tokens its own tokens
 * @param locks path locks that cover it
 * @param hostLocks locks of its host copy
 * @param hits hits counted by inserts
 * @param priority its priority
 * @param sessions references of sessions
 * @param lastAccess stamp of the last use; only the order of stamps has a meaning
 * @param created stamp of its creation
 * @param onDevice has slots on the device
 * @param onHost has a copy in the host tier
 * @param deviceLeaf may be evicted from the device
 * @param hostLeaf may be evicted from the host
 * @param writing its backup is in flight
 * @param duplicate is listed among the nodes with both copies
 * @param hasWindow has window values
 * @param hasState has a recurrent state
 */
@SuppressWarnings("ArrayRecordComponent")
public record NodeInfo(
        int node,
        int parent,
        int namespace,
        int length,
        int[] tokens,
        int locks,
        int hostLocks,
        int hits,
        int priority,
        int sessions,
        long lastAccess,
        long created,
        boolean onDevice,
        boolean onHost,
        boolean deviceLeaf,
        boolean hostLeaf,
        boolean writing,
        boolean duplicate,
        boolean hasWindow,
        boolean hasState) {}
