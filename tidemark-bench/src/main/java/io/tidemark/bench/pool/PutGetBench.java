package io.tidemark.bench.pool;

import io.tidemark.bench.harness.BenchOptions;
import io.tidemark.bench.harness.Comparison;
import io.tidemark.bench.harness.Samples;
import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./tidemark bench put-get}. */
@Command(
        name = "put-get",
        mixinStandardHelpOptions = true,
        description = "Put and get in process, 1 MiB and 64 KiB, against one memcpy of the same bytes.")
public final class PutGetBench implements Callable<Integer> {
    private static final long CAPACITY_BYTES = 1L << 30;
    private static final double GOAL = 0.9;
    private static final String ORDER = "lru+np";

    @Mixin
    private BenchOptions options;

    @Override
    public Integer call() throws Exception {
        options.begin();
        for (int blockBytes : List.of(1 << 20, 64 << 10)) {
            try (DramMedium plain = Media.touchedDram("plain", CAPACITY_BYTES / 2);
                    Pool pool = pool()) {
                compare(new Copying(plain, blockBytes, true), PoolSide.putting(pool, blockBytes), blockBytes);
                compare(new Copying(plain, blockBytes, false), PoolSide.getting(pool, blockBytes), blockBytes);
            }
        }
        return 0;
    }

    private void compare(Copying memcpy, PoolSide ours, int blockBytes) throws Exception {
        List<Samples> samples = options.rounds().run(List.of(ours, memcpy), System::nanoTime);
        String what = ours.name() + " " + (blockBytes >> 10) + " KiB in process";
        options.result(new Comparison(what, "GB/s", samples.get(0), samples.get(1), GOAL));
        options.note(ours.name() + ": waits for space " + ours.waits());
    }

    private static Pool pool() throws Exception {
        DramMedium dram = Media.touchedDram("dram0", CAPACITY_BYTES);
        dram.copies().trackOrder(ORDER);
        return Pool.open(PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(dram, 1))));
    }
}
