package io.tidemark.bench.pool;

import io.tidemark.bench.harness.Absolute;
import io.tidemark.bench.harness.BenchOptions;
import io.tidemark.bench.harness.MedianInterval;
import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.PutMode;
import io.tidemark.core.pool.Reserved;
import io.tidemark.core.pool.Session;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./tidemark bench index-memory}: heap a key, everything counted that grows with it (index, keys, copies, order),
 * for blocks without bytes, or with one page each ({@code --pages}: the page allocator is counted too) over memory that is
 * mapped and never touched; and the longest that one put took meanwhile, on the wall and of its thread's processor time.
 */
@Command(
        name = "index-memory",
        mixinStandardHelpOptions = true,
        description = "Heap bytes a key and the longest pause, for 32-byte keys over memory that is never touched.")
public final class IndexMemoryBench implements Callable<Integer> {
    private static final int PAGE = 4096;
    private static final int KEY_BYTES = 32;
    private static final double GOAL_BYTES = 120;
    private static final double GOAL_PAUSE_MILLIS = 20;

    @Mixin
    private BenchOptions options;

    @Option(names = "--keys", defaultValue = "10000000", description = "Keys (default ${DEFAULT-VALUE}).")
    private int keys;

    @Option(names = "--pages", description = "Give every block a page.")
    private boolean pages;

    @Override
    public Integer call() throws Exception {
        options.begin();
        long before = usedHeapBytes();
        DramOptions dram = DramOptions.of("untouched", (long) keys * PAGE + (long) keys * PAGE / 8);
        DramMedium medium = DramMedium.open(Media.untouchedMemory(), dram);
        medium.copies().trackOrder("lru+np");
        Marks marks = new Marks(0.99, 0.98);
        try (Pool pool = Pool.open(PoolConfig.of(TierConfig.of("dram", marks, new TierMember(medium, 1))))) {
            Longest longest = fill(pool);
            long bytes = usedHeapBytes() - before;
            if (pool.blocks() != keys) {
                throw new IllegalStateException("the pool holds " + pool.blocks() + " blocks; expected " + keys);
            }
            show("heap bytes a key, %,d keys".formatted(keys), "bytes", bytes / (double) keys, GOAL_BYTES);
            show("longest put, wall", "ms", longest.wallNanos() / 1e6, GOAL_PAUSE_MILLIS);
            show("longest put, processor time", "ms", longest.cpuNanos() / 1e6, GOAL_PAUSE_MILLIS);
        }
        return 0;
    }

    private void show(String what, String unit, double value, double goal) {
        options.result(new Absolute(what, unit, MedianInterval.of(value), goal));
    }

    /** The longest put. */
    private record Longest(long wallNanos, long cpuNanos) {
        Longest with(long wall, long cpu) {
            return new Longest(Math.max(wallNanos, wall), Math.max(cpuNanos, cpu));
        }
    }

    private Longest fill(Pool pool) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        SplittableRandom random = new SplittableRandom(1);
        Longest longest = new Longest(0, 0);
        try (Session session = pool.session("bench")) {
            for (int i = 0; i < keys; i++) {
                ByteBuffer key = ByteBuffer.allocate(KEY_BYTES);
                key.putLong(random.nextLong()).putLong(random.nextLong()).putLong(random.nextLong());
                BlockKey named = BlockKey.of(key.putLong(i).array());
                long cpu = threads.getCurrentThreadCpuTime();
                long start = System.nanoTime();
                put(session, named);
                long wall = System.nanoTime() - start;
                longest = longest.with(wall, threads.getCurrentThreadCpuTime() - cpu);
            }
        }
        return longest;
    }

    private void put(Session session, BlockKey key) {
        Reserved reserved = session.reserve(key, pages ? PAGE : 0, PutHints.NONE, PutMode.CREATE);
        if (!(reserved instanceof Reserved.Reservation space)) {
            throw new IllegalStateException("no space: " + reserved);
        }
        try (space) {
            space.segments(); // what nobody has asked for is not published; nothing is written there
            space.commit();
        }
    }

    private long usedHeapBytes() {
        System.gc();
        long pauses = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
        options.note("collections so far took " + pauses + " ms");
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
