package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A tier as it runs: its backends, and the tiers that take what it evicts. */
final class Tier {
    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    /** 2 to the 64 by the golden ratio: of the bits that a share does not show much of. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** More than the marks of one tier are apart by default, so that members that come and go between them stay level. */
    private static final double FILL_APART = 0.25;
    /** A member with a small weight is emptier because it is meant to be. */
    private static final double SHARES_APART = 1.25;

    final int number;
    final TierConfig config;
    final List<Backend> backends;
    private List<Tier> below = List.of();
    private final int totalWeight;

    Tier(int number, TierConfig config, List<Backend> backends) {
        this.number = number;
        this.config = config;
        this.backends = List.copyOf(backends);
        totalWeight = config.members().stream().mapToInt(TierMember::weight).sum();
    }

    String name() {
        return config.name();
    }

    /** Tiers that take what this one evicts, in order of preference. */
    List<Tier> below() {
        return below;
    }

    void setBelow(List<Tier> tiers) {
        below = List.copyOf(tiers);
    }

    /**
     * Backends in the order in which a block with this key asks them for space: the same in every process, unless one is far
     * emptier than its share, as a directory that began empty is. Of the keys of the others a part is given to that one until it
     * has caught up, and no more than makes up twice its own: all of them at once would leave the tier as fast as one device.
     */
    List<Backend> placement(byte[] key) {
        if (backends.size() == 1) {
            return backends;
        }
        long hash = fnv(key);
        int share = primary(Long.remainderUnsigned(hash, totalWeight));
        int emptiest = emptier(share);
        int first = emptiest != share && goesTo(emptiest, share, hash) ? emptiest : share;
        List<Backend> order = new ArrayList<>(backends.size());
        for (int i = 0; i < backends.size(); i++) {
            order.add(backends.get((first + i) % backends.size()));
        }
        return order;
    }

    /** The emptiest of those that work and are far emptier than this one; this one, if none is. */
    private int emptier(int than) {
        int found = than;
        for (int i = 0; i < backends.size(); i++) {
            boolean lags = fill(i) < fill(than) - FILL_APART && perWeight(i) * SHARES_APART < perWeight(than);
            if (lags && fill(i) < fill(found) && backends.get(i).medium.health().healthy()) {
                found = i;
            }
        }
        return found;
    }

    /** Whether this key is of the part that an emptier member gets: the larger the further the two are apart. */
    private boolean goesTo(int emptiest, int share, long hash) {
        int weight = config.members().get(emptiest).weight();
        double part = (fill(share) - fill(emptiest)) * weight / (totalWeight - weight);
        return ((hash * SPREAD) >>> Integer.SIZE) < part * (1L << Integer.SIZE);
    }

    private double fill(int member) {
        return backends.get(member).fill();
    }

    private double perWeight(int member) {
        return (double) backends.get(member).usedBytes()
                / config.members().get(member).weight();
    }

    /** Backends from the fullest to the emptiest: the fullest member drives the tier. */
    List<Backend> fullestFirst() {
        return backends.stream()
                .sorted(Comparator.comparingDouble(Backend::fill).reversed())
                .toList();
    }

    private int primary(long share) {
        long left = share;
        for (int i = 0; i < backends.size(); i++) {
            left -= config.members().get(i).weight();
            if (left < 0) {
                return i;
            }
        }
        throw new IllegalStateException("share " + share + " of weight " + totalWeight + " in tier " + name());
    }

    /** FNV-1a over 64 bits: fixed, because placement outlives a process. */
    private static long fnv(byte[] key) {
        long hash = FNV_OFFSET;
        for (byte b : key) {
            hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
        }
        return hash;
    }
}
