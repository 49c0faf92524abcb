package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Every call that tells the orders of a change matters: with any one of these calls left out, the tree fails the same
 * random runs that it passes with all of them.
 */
class HookCoverageTest {
    private static final int STEPS = 400;
    private static final int SEEDS = 12;

    /** Notes which places call a hook, and leaves out the calls from one place. */
    private static final class Sites {
        private final Set<String> seen = new TreeSet<>();
        private Optional<String> leftOut = Optional.empty();

        /** Whether the hook's caller may go on. */
        boolean pass(String hook) {
            String site = StackWalker.getInstance()
                    .walk(frames -> frames.skip(2)
                            .findFirst()
                            .map(frame -> frame.getClassName() + "." + frame.getMethodName() + ":"
                                    + frame.getLineNumber() + " " + hook)
                            .orElseThrow());
            seen.add(site);
            return !leftOut.equals(Optional.of(site));
        }
    }

    /** Leaf sets whose hooks ask first. */
    private static final class LeakyLeafSets extends LeafSets {
        private final Sites sites;

        LeakyLeafSets(Nodes nodes, TreeOrders orders, Duplicates duplicates, Sites sites) {
            super(nodes, orders, duplicates);
            this.sites = sites;
        }

        @Override
        void refresh(int node) {
            if (sites.pass("refresh")) {
                super.refresh(node);
            }
        }

        @Override
        void rekeyed(int node) {
            if (sites.pass("rekeyed")) {
                super.rekeyed(node);
            }
        }

        @Override
        void used(int node) {
            if (sites.pass("used")) {
                super.used(node);
            }
        }

        @Override
        void pathUsed(int end, int start) {
            if (sites.pass("pathUsed")) {
                super.pathUsed(end, start);
            }
        }

        @Override
        void promoteOnDevice(int node) {
            if (sites.pass("promoteOnDevice")) {
                super.promoteOnDevice(node);
            }
        }

        @Override
        void promoteOnHost(int node) {
            if (sites.pass("promoteOnHost")) {
                super.promoteOnHost(node);
            }
        }

        @Override
        void removed(int node) {
            if (sites.pass("removed")) {
                super.removed(node);
            }
        }
    }

    /** An order of a component whose hooks ask first. */
    private static final class LeakyComponentOrder extends ComponentOrder {
        private final Sites sites;

        LeakyComponentOrder(Sites sites) {
            this.sites = sites;
        }

        @Override
        void held(int node) {
            if (sites.pass("held")) {
                super.held(node);
            }
        }

        @Override
        void dropped(int node) {
            if (sites.pass("dropped")) {
                super.dropped(node);
            }
        }

        @Override
        void used(int node) {
            if (sites.pass("component used")) {
                super.used(node);
            }
        }

        @Override
        void usedBehind(int node, int deeper) {
            if (sites.pass("usedBehind")) {
                super.usedBehind(node, deeper);
            }
        }

        @Override
        void split(int prefix, int suffix) {
            if (sites.pass("split")) {
                super.split(prefix, suffix);
            }
        }
    }

    private record Leaky(Sites sites) implements TreeParts.LeafSetsFactory {
        @Override
        public LeafSets create(Nodes nodes, TreeOrders orders, Duplicates duplicates) {
            return new LeakyLeafSets(nodes, orders, duplicates, sites);
        }

        @Override
        public ComponentOrder componentOrder() {
            return new LeakyComponentOrder(sites);
        }
    }

    @Test
    void leavingOutAnyOneHookFails() {
        Sites sites = new Sites();
        assertThat(firstFailure(sites)).as("with all hooks").isEmpty();
        List<String> harmless = new ArrayList<>();
        for (String site : List.copyOf(sites.seen)) {
            sites.leftOut = Optional.of(site);
            if (firstFailure(sites).isEmpty()) {
                harmless.add(site);
            }
        }
        assertThat(sites.seen).as("as many places as the source has").hasSize(25);
        assertThat(harmless).as("calls that nothing notices the lack of").isEmpty();
    }

    private static Optional<Throwable> firstFailure(Sites sites) {
        TreeParts.LeafSetsFactory leafSets = new Leaky(sites);
        for (long seed = 0; seed < SEEDS; seed++) {
            for (TreeOptions options : deviceSettings()) {
                Optional<Throwable> failure = Shrinking.failure(seed, STEPS, () -> new DeviceRun(options, leafSets));
                if (failure.isPresent()) {
                    return failure;
                }
            }
            for (TreeOptions options : hostSettings()) {
                Optional<Throwable> failure = Shrinking.failure(seed, STEPS, () -> new HostRun(options, 40, leafSets));
                if (failure.isPresent()) {
                    return failure;
                }
            }
        }
        return Optional.empty();
    }

    private static List<TreeOptions> deviceSettings() {
        return List.of(
                TreeOptions.DEFAULT,
                TreeOptions.DEFAULT.withPolicy(new TreePolicy.Lfu()).withSessions(true),
                TreeOptions.DEFAULT.withPolicy(new TreePolicy.Tlru(8, 3)),
                TreeOptions.DEFAULT.withComponents(ComponentOptions.window(4).withStates()),
                TreeOptions.DEFAULT.withComponents(ComponentOptions.NONE.withStates()));
    }

    private static List<TreeOptions> hostSettings() {
        TreeOptions lru = TreeOptions.DEFAULT.withHost(new HostOptions(WritePolicy.WRITE_THROUGH, 1, 2));
        TreeOptions priority = TreeOptions.DEFAULT
                .withPolicy(new TreePolicy.Priority())
                .withHost(new HostOptions(WritePolicy.WRITE_BACK, 1, 2));
        return List.of(lru, priority, lru.withSessions(true));
    }
}
