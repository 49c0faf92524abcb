package io.tidemark.core.pool;

import io.tidemark.core.medium.MappedMedium;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a pool is made of.
 *
 * @param tiers from the entry tier, where puts go, down
 * @param hashSeed seed of the index's key hash, fixed for a process, and not to be guessed by clients, who could aim at one
 *     stripe; nothing persisted depends on it
 */
public record PoolConfig(
        List<TierConfig> tiers, PoolLimits limits, DeviceReads deviceReads, Clocks clocks, long hashSeed) {
    /** Most backends in one pool. */
    public static final int MAX_BACKENDS = 64;

    public PoolConfig {
        tiers = List.copyOf(tiers);
        if (tiers.isEmpty()) {
            throw new IllegalArgumentException("tiers: none; expected at least one");
        }
        checkEntry(tiers.getFirst());
        checkNames(tiers);
        checkArrows(tiers);
    }

    /** The given tiers with default limits and the machine's clocks. */
    public static PoolConfig of(TierConfig... tiers) {
        return new PoolConfig(
                List.of(tiers),
                PoolLimits.DEFAULT,
                DeviceReads.DEFAULT,
                Clocks.system(),
                new SecureRandom().nextLong());
    }

    /** This configuration with other limits. */
    public PoolConfig with(PoolLimits other) {
        return new PoolConfig(tiers, other, deviceReads, clocks, hashSeed);
    }

    /** This configuration with other bounds of device reads. */
    public PoolConfig with(DeviceReads other) {
        return new PoolConfig(tiers, limits, other, clocks, hashSeed);
    }

    /** This configuration with other clocks. */
    public PoolConfig with(Clocks other) {
        return new PoolConfig(tiers, limits, deviceReads, other, hashSeed);
    }

    private static void checkEntry(TierConfig entry) {
        for (TierMember member : entry.members()) {
            if (!(member.medium() instanceof MappedMedium)) {
                throw new IllegalArgumentException("tier " + entry.name() + ": backend '"
                        + member.medium().name() + "' cannot be addressed in place; expected DRAM as entry tier");
            }
        }
    }

    private static void checkNames(List<TierConfig> tiers) {
        Set<String> names = new HashSet<>();
        Set<String> backends = new HashSet<>();
        for (TierConfig tier : tiers) {
            if (!names.add(tier.name())) {
                throw new IllegalArgumentException("tiers: '" + tier.name() + "' twice; expected names that differ");
            }
            for (TierMember member : tier.members()) {
                if (!backends.add(member.medium().name())) {
                    throw new IllegalArgumentException("tier " + tier.name() + ": backend '"
                            + member.medium().name() + "' twice; expected each backend in exactly one tier");
                }
            }
        }
        if (backends.size() > MAX_BACKENDS) {
            throw new IllegalArgumentException(
                    "tiers: " + backends.size() + " backends; expected at most " + MAX_BACKENDS);
        }
    }

    private static void checkArrows(List<TierConfig> tiers) {
        List<String> names = tiers.stream().map(TierConfig::name).toList();
        for (TierConfig tier : tiers) {
            for (String lower : tier.offloadTo()) {
                if (names.indexOf(lower) <= names.indexOf(tier.name())) {
                    throw new IllegalArgumentException(
                            "tier " + tier.name() + ": offload to '" + lower + "'; expected the name of a later tier");
                }
            }
        }
    }
}
