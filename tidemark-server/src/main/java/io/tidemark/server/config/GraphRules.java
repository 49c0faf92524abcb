package io.tidemark.server.config;

import io.tidemark.server.config.GraphDraft.Backend;
import io.tidemark.server.config.GraphDraft.Target;
import io.tidemark.server.config.GraphDraft.Tier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What has to hold between the tiers of a graph, whichever way it was written. */
final class GraphRules {
    private static final int BACKENDS_MAX = 64;

    private final GraphDraft graph;
    private final List<String> problems;

    private GraphRules(GraphDraft graph, List<String> problems) {
        this.graph = graph;
        this.problems = problems;
    }

    /**
     * Adds what is wrong to the problems, and what is odd to the warnings. What was not understood is a problem already; of
     * the rest is judged what does not depend on it.
     */
    static void check(GraphDraft graph, List<String> problems, List<String> warnings) {
        GraphRules rules = new GraphRules(graph, problems);
        rules.names();
        rules.media();
        rules.targets();
        if (!graph.tiers().isEmpty() && graph.allNamed()) {
            rules.entry();
        }
        if (problems.isEmpty()) {
            rules.reach(warnings);
        }
    }

    private void names() {
        Map<String, Tier> tiers = new HashMap<>();
        Map<String, Tier> backends = new HashMap<>();
        for (Tier tier : graph.tiers()) {
            if (tiers.put(tier.name(), tier) != null) {
                problem(tier.at(), "tier '" + tier.name() + "': a second one; expected names that differ");
            }
            long weight = 0;
            for (Backend backend : tier.backends()) {
                weight += backend.weight();
                if (backends.put(backend.name(), tier) != null) {
                    problem(backend.at(), shown(backend) + "is in a tier already; expected each in exactly one");
                }
            }
            if (weight > Integer.MAX_VALUE) {
                problem(
                        tier.at(),
                        "tier '" + tier.name() + "': weights sum up to " + weight + "; expected less than 2^31");
            }
        }
        if (backends.size() > BACKENDS_MAX) {
            problem(graph.at(), backends.size() + " backends; expected at most " + BACKENDS_MAX);
        }
    }

    private void media() {
        Directories directories = new Directories();
        for (Tier tier : graph.tiers()) {
            for (Backend backend : tier.backends()) {
                if (backend.type() == GraphDraft.Type.HBM) {
                    problem(
                            backend.at(),
                            shown(backend) + "type hbm: there is no device memory here; expected dram or ssd");
                }
                backend.directory()
                        .ifPresent(path -> directories
                                .add(path)
                                .ifPresent(other -> problem(
                                        backend.at(),
                                        shown(backend) + path + " is, holds, or lies in " + other
                                                + ", another backend's directory")));
            }
            boolean memory = tier.backends().stream().allMatch(member -> member.type() == GraphDraft.Type.DRAM);
            if (!memory && tier.policy().stream().anyMatch(TierPlan.NO_EVICTION::equals)) {
                problem(
                        tier.lines().policy(),
                        "tier '" + tier.name() + "': policy none is for memory; expected an order of eviction");
            }
        }
    }

    private void targets() {
        for (int index = 0; index < graph.tiers().size(); index++) {
            for (Target target : graph.tiers().get(index).offloadTo()) {
                int resolved = resolve(target.name());
                String what = "tier '" + graph.tiers().get(index).name() + "': offload to '" + target.name() + "': ";
                if (resolved < 0 && graph.allNamed() && !graph.names().contains(target.name())) {
                    problem(target.at(), what + "no tier and no backend" + Nearest.hint(target.name(), graph.names()));
                } else if (resolved >= 0 && resolved <= index) {
                    problem(target.at(), what + "is not further down; expected a later tier");
                }
            }
        }
    }

    /** Number of the tier that a target names, by itself or by one of its backends; below 0: none. */
    private int resolve(String target) {
        for (int index = 0; index < graph.tiers().size(); index++) {
            Tier tier = graph.tiers().get(index);
            if (tier.name().equals(target) || tier.holds(target)) {
                return index;
            }
        }
        return -1;
    }

    private void entry() {
        Tier entry = graph.tiers().getFirst();
        for (Backend backend : entry.backends()) {
            if (backend.type() == GraphDraft.Type.SSD) {
                problem(
                        backend.at(),
                        shown(backend) + "is in the entry tier '" + entry.name()
                                + "', where puts land; expected memory (dram)");
            }
        }
        if (entry.promotion().isPresent()) {
            problem(
                    entry.lines().promotion(),
                    "tier '" + entry.name() + "': the entry tier has none above it to promote to");
        }
    }

    private void reach(List<String> warnings) {
        Set<Integer> reached = new HashSet<>(Set.of(0));
        for (int index = 0; index < graph.tiers().size(); index++) {
            Tier tier = graph.tiers().get(index);
            if (reached.contains(index)) {
                tier.offloadTo().forEach(target -> reached.add(resolve(target.name())));
            } else {
                warnings.add(tier.at() + ": tier '" + tier.name() + "': nothing offloads to it, so it stays empty");
            }
        }
    }

    private static String shown(Backend backend) {
        return "backend '" + backend.name() + "': ";
    }

    private void problem(Origin at, String text) {
        problems.add(at + ": " + text);
    }
}
