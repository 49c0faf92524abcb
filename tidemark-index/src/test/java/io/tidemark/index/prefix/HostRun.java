package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The same steps on two trees with a host tier: one keeps its orders, the other sorts all leaves, and passes all
 * nodes with both copies, at each walk.
 */
final class HostRun implements Shrinking.Subject {
    private final HostSide kept;
    private final HostSide sorted;

    HostRun(TreeOptions options, long hostUnits, TreeParts.LeafSetsFactory leafSets) {
        kept = new HostSide(options, hostUnits, leafSets);
        sorted = new HostSide(options.withRebuildEachWalk(true), hostUnits, new NaiveDuplicates.Factory());
    }

    @Override
    public void step(TreeStep step) {
        assertThat(kept.step(step)).isEqualTo(sorted.step(step));
    }

    @Override
    public void finish() {
        assertThat(kept.finish()).isEqualTo(sorted.finish()).last().isEqualTo("left 0");
    }
}
