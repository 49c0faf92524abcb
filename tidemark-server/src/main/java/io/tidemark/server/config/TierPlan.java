package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The graph of tiers that a server builds its pool from, checked.
 *
 * @param tiers from the entry tier, where puts go, down
 * @param shrinkable whether the memory may be less on a small machine: nobody gave its size
 */
public record TierPlan(List<Tier> tiers, boolean shrinkable) {
    /** The policy that never evicts. */
    public static final String NO_EVICTION = "none";

    /** The weight of a member whose share of the keys is its share of the capacity that the tier turns out to have. */
    public static final int BY_CAPACITY = 0;

    public TierPlan {
        tiers = List.copyOf(tiers);
    }

    /**
     * One tier.
     *
     * @param highMark filled share of a backend at which eviction starts
     * @param lowMark filled share at which it stops
     * @param offloadTo names of later tiers that take what this one evicts, in order of preference
     * @param promotion what a read does to a block, empty: nothing
     * @param policy order of eviction, a name of a policy or {@link #NO_EVICTION}
     */
    public record Tier(
            String name,
            List<Member> members,
            double highMark,
            double lowMark,
            List<String> offloadTo,
            Optional<Promotion> promotion,
            String policy) {
        public Tier {
            members = List.copyOf(members);
            offloadTo = List.copyOf(offloadTo);
        }
    }

    /**
     * A backend in its tier.
     *
     * @param weight share of the keys that are placed here first, relative to the other members; all of a tier's members or
     *     none have {@link #BY_CAPACITY}
     */
    public record Member(Backend backend, int weight) {}

    /**
     * Where blocks lie. A start asks for the kinds by {@code instanceof} (ADR 10): for a new one those places have to be looked
     * for, the compiler does not name them.
     */
    public sealed interface Backend {
        String name();

        long capacityBytes();

        /** Unit of allocation. */
        int pageBytes();
    }

    /** Memory; the capacity is a multiple of the page. */
    public record Dram(String name, long capacityBytes, int pageBytes) implements Backend {}

    /** A directory; the capacity is what it may occupy, all files in it together. */
    public record Ssd(String name, Path directory, long capacityBytes, int pageBytes) implements Backend {
        /** Names differ. What the compiler writes here is a class that the JVM has to make at each start. */
        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    /**
     * When a block goes up to the entry tier.
     *
     * @param hits reads it takes
     * @param move whether it leaves the lower tier then
     */
    public record Promotion(int hits, boolean move) {}

    /** Every backend, from the entry tier down. */
    public Stream<Backend> backends() {
        return tiers.stream().flatMap(tier -> tier.members().stream()).map(Member::backend);
    }

    /** Every backend in memory. */
    public Stream<Dram> dram() {
        return backends().filter(Dram.class::isInstance).map(Dram.class::cast);
    }

    /** Every backend in a directory. */
    public Stream<Ssd> ssd() {
        return backends().filter(Ssd.class::isInstance).map(Ssd.class::cast);
    }

    /** Memory for blocks, all backends together. */
    public long dramBytes() {
        return dram().mapToLong(Dram::capacityBytes).sum();
    }

    /**
     * The largest value that the entry tier keeps: one that alone reaches the high mark would be evicted as soon as it is
     * stored. At least a page.
     */
    public long largestKeptBytes() {
        Tier entry = tiers.getFirst();
        return entry.members().stream()
                .mapToLong(member -> largestKept(member.backend(), entry))
                .max()
                .orElseThrow();
    }

    private static long largestKept(Backend backend, Tier entry) {
        if (entry.policy().equals(NO_EVICTION)) {
            return backend.capacityBytes();
        }
        long belowMark = (long) Math.ceil(backend.capacityBytes() * entry.highMark()) - 1;
        return Math.max(backend.pageBytes(), belowMark - belowMark % backend.pageBytes());
    }

    /** The same plan with less memory in its one DRAM backend; for a shrinkable one. */
    public TierPlan withDramBytes(long bytes) {
        Tier entry = tiers.getFirst();
        Dram dram = dram().findFirst().orElseThrow();
        Dram smaller = new Dram(dram.name(), bytes - bytes % dram.pageBytes(), dram.pageBytes());
        Tier changed = new Tier(
                entry.name(),
                List.of(new Member(smaller, entry.members().getFirst().weight())),
                entry.highMark(),
                entry.lowMark(),
                entry.offloadTo(),
                entry.promotion(),
                entry.policy());
        return new TierPlan(
                Stream.concat(Stream.of(changed), tiers.stream().skip(1)).toList(), shrinkable);
    }
}
