package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tree against {@link NaiveTree}, which sorts all leaves for every victim; all invariants after every call. */
class PrefixTreeDifferentialTest {
    private static final int STEPS = 600;

    static Stream<TreeOptions> settings() {
        List<TreeOptions> settings = new ArrayList<>();
        for (TreePolicy policy : List.of(
                new TreePolicy.Lru(),
                new TreePolicy.Mru(),
                new TreePolicy.Fifo(),
                new TreePolicy.Filo(),
                new TreePolicy.Lfu(),
                new TreePolicy.Priority(),
                new TreePolicy.Slru(2),
                new TreePolicy.Slru(3),
                new TreePolicy.Tlru(8, 3))) {
            for (boolean sessions : new boolean[] {false, true}) {
                TreeOptions options = TreeOptions.DEFAULT.withPolicy(policy).withSessions(sessions);
                settings.add(options);
                settings.add(options.withPageSize(3));
                settings.add(options.withBigram(true).withPageSize(2).withRebuildEachWalk(true));
            }
        }
        settings.add(TreeOptions.DEFAULT.withBigram(true));
        settings.add(TreeOptions.DEFAULT.withPolicy(new TreePolicy.Gdsf()));
        settings.add(TreeOptions.DEFAULT.withPolicy(new TreePolicy.Gdsf()).withPageSize(3));
        settings.addAll(withComponents());
        return settings.stream();
    }

    private static List<TreeOptions> withComponents() {
        ComponentOptions states = ComponentOptions.NONE.withStates();
        List<TreeOptions> settings = new ArrayList<>();
        for (int window : new int[] {1, 4, 9}) {
            ComponentOptions components = ComponentOptions.window(window);
            settings.add(TreeOptions.DEFAULT.withComponents(components));
            settings.add(TreeOptions.DEFAULT.withPageSize(3).withComponents(components));
            settings.add(TreeOptions.DEFAULT.withPolicy(new TreePolicy.Lfu()).withComponents(components.withStates()));
            settings.add(TreeOptions.DEFAULT.withBigram(true).withComponents(components.takingRevealed()));
        }
        settings.add(TreeOptions.DEFAULT.withComponents(states));
        settings.add(TreeOptions.DEFAULT.withPolicy(new TreePolicy.Fifo()).withComponents(states.takingRevealed()));
        return settings;
    }

    @ParameterizedTest
    @MethodSource("settings")
    void theSameCallsGiveTheSameVictims(TreeOptions options) {
        run(options, 8);
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("settings")
    void theSameCallsGiveTheSameVictimsForLong(TreeOptions options) {
        run(options, Integer.getInteger("tidemark.soak.seeds", 200));
    }

    private static void run(TreeOptions options, int seeds) {
        for (long seed = 0; seed < seeds; seed++) {
            Shrinking.check(options.toString(), seed, STEPS, () -> new DeviceRun(options, LeafSets::new));
        }
    }
}
