package io.tidemark.bench.pool;

import io.tidemark.bench.harness.Absolute;
import io.tidemark.bench.harness.BenchOptions;
import io.tidemark.bench.harness.Reading;
import io.tidemark.bench.harness.Samples;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./tidemark bench lookup}. */
@Command(
        name = "lookup",
        mixinStandardHelpOptions = true,
        description = "Batches of look-ups among many keys, alone and while keys are evicted at the high mark.")
public final class LookupBench implements Callable<Integer> {
    /** Beside evictions a batch takes at most so many times as long (faults, G62). */
    private static final double GOAL = 2;

    @Mixin
    private BenchOptions options;

    @Option(names = "--keys", defaultValue = "1000000", description = "Keys (default ${DEFAULT-VALUE}).")
    private int keys;

    @Override
    public Integer call() throws Exception {
        options.begin();
        try (LookupSides lookups = new LookupSides(keys)) {
            List<Samples> p99 =
                    options.rounds().run(List.of(lookups.alone(), lookups.besideEvictions()), System::nanoTime);
            String what = "p99 of a batch of %,d look-ups among %,d keys, ".formatted(LookupSides.BATCH, keys);
            for (Samples side : p99) {
                options.result(new Reading(what + side.side(), "ms", side.median()));
            }
            options.result(new Absolute(
                    "the same, beside evictions to alone", "x", p99.get(1).ratioTo(p99.get(0)), GOAL));
            options.note(lookups.text());
        }
        return 0;
    }
}
