package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Host tier: kept orders and lists against sorting and passing all at each walk; all invariants after every call. */
class HostTierDifferentialTest {
    private static final int STEPS = 600;
    private static final List<Integer> HOST_UNITS = List.of(16, 60, 400);

    static Stream<TreeOptions> settings() {
        List<TreeOptions> settings = new ArrayList<>();
        for (WritePolicy write :
                List.of(WritePolicy.WRITE_THROUGH, WritePolicy.WRITE_THROUGH_SELECTIVE, WritePolicy.WRITE_BACK)) {
            for (String policy : List.of("lru", "mru", "lfu", "priority", "slru", "fifo", "tlru")) {
                HostOptions host = new HostOptions(write, HostOptions.of(write).hitThreshold(), 2);
                TreeOptions options =
                        TreeOptions.DEFAULT.withPolicy(TreePolicy.named(policy)).withHost(host);
                settings.add(options);
                settings.add(options.withPageSize(2).withSessions(true));
            }
        }
        return settings.stream();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void theSameCallsGiveTheSameSteps(TreeOptions options) {
        run(options, 3);
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("settings")
    void theSameCallsGiveTheSameStepsForLong(TreeOptions options) {
        run(options, Integer.getInteger("tidemark.soak.seeds", 100));
    }

    private static void run(TreeOptions options, int seeds) {
        for (int units : HOST_UNITS) {
            for (long seed = 0; seed < seeds; seed++) {
                Shrinking.check(
                        options + ", host " + units, seed, STEPS, () -> new HostRun(options, units, LeafSets::new));
            }
        }
    }
}
