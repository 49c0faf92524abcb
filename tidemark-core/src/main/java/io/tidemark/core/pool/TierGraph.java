package io.tidemark.core.pool;

import io.tidemark.core.medium.HurriedWrites;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** All tiers from the entry tier down, and all backends by number. Fixed for the life of a pool. */
final class TierGraph {
    private final List<Tier> tiers;
    private final List<Backend> backends = new ArrayList<>();
    private final List<Tier> tierOfBackend = new ArrayList<>();
    private final Set<String> unclosed = ConcurrentHashMap.newKeySet();

    TierGraph(PoolConfig config) {
        List<Tier> made = new ArrayList<>();
        for (TierConfig tier : config.tiers()) {
            List<Backend> members = new ArrayList<>();
            for (TierMember member : tier.members()) {
                members.add(new Backend(backends.size() + members.size(), member.medium(), tier, config.clocks()));
            }
            Tier running = new Tier(made.size(), tier, members);
            backends.addAll(members);
            members.forEach(member -> tierOfBackend.add(running));
            made.add(running);
        }
        tiers = List.copyOf(made);
        for (Tier tier : tiers) {
            tier.setBelow(tier.config.offloadTo().stream().map(this::named).toList());
        }
    }

    /** Tells the media whose writes wait for reads while which they hurry. */
    void hurryWhereSpaceIsShort() {
        for (Backend backend : backends) {
            if (backend.medium instanceof HurriedWrites writes) {
                List<Backend> above = above(tierOf(backend));
                writes.hurryWhile(() -> above.stream().anyMatch(Backend::isShort));
            }
        }
    }

    /** Backends whose space a move to this tier gives. */
    private List<Backend> above(Tier tier) {
        return tiers.stream()
                .filter(source -> source.below().contains(tier))
                .flatMap(source -> source.backends.stream())
                .toList();
    }

    /** Where puts go. */
    Tier entry() {
        return tiers.getFirst();
    }

    List<Tier> tiers() {
        return tiers;
    }

    List<Backend> backends() {
        return backends;
    }

    Backend backend(int number) {
        return backends.get(number);
    }

    Tier tierOf(Backend backend) {
        return tierOfBackend.get(backend.number);
    }

    /** The backend that is asked first for space for what this one evicts under this key, if it offloads to any. */
    Optional<Backend> firstBelow(Backend source, byte[] key) {
        return tierOf(source).below().stream()
                .findFirst()
                .map(tier -> tier.placement(key).getFirst());
    }

    /** Whether anything that this backend offloads to works. */
    boolean worksBelow(Backend source) {
        return tierOf(source).below().stream()
                .flatMap(tier -> tier.backends.stream())
                .anyMatch(lower -> lower.medium.health().healthy());
    }

    Optional<Backend> backend(String name) {
        return backends.stream().filter(backend -> backend.name().equals(name)).findFirst();
    }

    /**
     * Closes all media side by side, and waits for them until this moment of {@link System#nanoTime}: one that hangs holds up
     * neither the others nor the caller.
     */
    void close(long untilNanos) {
        List<Thread> closing = new ArrayList<>();
        for (Backend backend : backends) {
            unclosed.add(backend.name());
            closing.add(Thread.ofPlatform()
                    .name("tidemark-close-" + backend.name())
                    .daemon(true)
                    .start(() -> {
                        backend.medium.close();
                        unclosed.remove(backend.name());
                    }));
        }
        try {
            for (Thread thread : closing) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Names of backends whose close has begun and is not over. */
    Set<String> unclosed() {
        return new TreeSet<>(unclosed);
    }

    private Tier named(String name) {
        return tiers.stream()
                .filter(tier -> tier.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
