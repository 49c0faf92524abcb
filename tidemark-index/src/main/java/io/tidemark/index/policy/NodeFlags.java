package io.tidemark.index.policy;

import java.util.Arrays;

/** Up to eight flags a node, in a growing byte array. */
final class NodeFlags {
    private byte[] flags = new byte[64];

    boolean has(int node, int flag) {
        return node >= 0 && node < flags.length && (flags[node] & flag) != 0;
    }

    /** Sets the flag; true when it was not set before. */
    boolean set(int node, int flag) {
        if (node < 0 || node >= flags.length) {
            flags = Arrays.copyOf(flags, Growth.lengthFor(node, flags.length));
        }
        boolean rises = (flags[node] & flag) == 0;
        flags[node] |= (byte) flag;
        return rises;
    }

    /** Clears the flag; true when it was set before. */
    boolean clear(int node, int flag) {
        boolean falls = has(node, flag);
        if (falls) {
            flags[node] &= (byte) ~flag;
        }
        return falls;
    }

    void clearEverywhere(int flag) {
        for (int node = 0; node < flags.length; node++) {
            flags[node] &= (byte) ~flag;
        }
    }

    void clearAll() {
        Arrays.fill(flags, (byte) 0);
    }

    /** Number of nodes that the array has room for. */
    int capacity() {
        return flags.length;
    }
}
