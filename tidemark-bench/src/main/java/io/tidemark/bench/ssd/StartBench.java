package io.tidemark.bench.ssd;

import io.tidemark.bench.harness.Absolute;
import io.tidemark.bench.harness.BenchOptions;
import io.tidemark.bench.harness.MedianInterval;
import io.tidemark.bench.harness.Reading;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.pool.Answer;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PutHints;
import io.tidemark.core.pool.PutMode;
import io.tidemark.core.pool.Reserved;
import io.tidemark.core.pool.Session;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./tidemark bench ssd-start}: fills an SSD tier with blocks of 4 KiB through a pool, whose bytes are not written
 * (no start looks at them), and measures how long the next opening takes until every block
 * can be found; with {@code --process} how long a whole server takes until it serves.
 */
@Command(
        name = "ssd-start",
        mixinStandardHelpOptions = true,
        description = "Opening an SSD tier with many blocks of an earlier process, until all can be found.")
public final class StartBench implements Callable<Integer> {
    private static final int PAGE = 4096;
    private static final int KEY_BYTES = 32;
    private static final double GOAL_MILLIS = 1_000;
    private static final long DRAM_BYTES = 64L << 20;
    private static final long PAUSE_NANOS = 1_000_000;

    @Mixin
    private BenchOptions options;

    @Option(names = "--blocks", defaultValue = "1000000", description = "Blocks (default ${DEFAULT-VALUE}).")
    private int blocks;

    @Option(names = "--keep", description = "Leave the directory, for a server to start on.")
    private boolean keep;

    @Option(names = "--reuse", description = "Open what an earlier run with --keep left, in a process that is cold.")
    private boolean reuse;

    @Option(
            names = "--process",
            description = "Measure whole servers from their start until they serve, on the wall and in processor time.")
    private boolean process;

    @Option(names = "--server", description = "With --process: the program (default ${DEFAULT-VALUE}).")
    private Path server = Path.of("./tidemark");

    @Option(names = "--dir", description = "Where (default: a directory of its own in the temporary files).")
    private Path directory = Path.of(System.getProperty("java.io.tmpdir"), "tidemark-ssd-start");

    @Override
    public Integer call() throws Exception {
        options.begin();
        long capacity = (long) blocks * PAGE * 5 / 4;
        try {
            if (!reuse) {
                try (Pool pool = Tiers.open(withoutBytes(), directory, DRAM_BYTES, capacity, true)) {
                    fill(pool);
                }
            }
            if (process) {
                measureServers(new ServerStart(server, directory, capacity));
            } else {
                measureOpenings(capacity);
            }
        } finally {
            if (!keep) {
                Tiers.remove(directory);
            }
        }
        return 0;
    }

    private void measureServers(ServerStart start) throws Exception {
        start.once(); // the program may have to build itself
        double[] wall = new double[options.rounds().count()];
        double[] cpu = new double[wall.length];
        for (int round = 0; round < wall.length; round++) {
            ServerStart.Taken taken = start.once();
            wall[round] = taken.wallMillis();
            cpu[round] = taken.cpuMillis();
            options.note("served after %.0f ms, %.0f ms of processor time".formatted(wall[round], cpu[round]));
        }
        String what = "start a server on %,d blocks".formatted(blocks);
        options.result(new Absolute(what, "ms", MedianInterval.of(wall), GOAL_MILLIS));
        options.result(new Reading(what + ", processor time", "ms", MedianInterval.of(cpu)));
    }

    private void measureOpenings(long capacity) throws Exception {
        double[] millis = new double[options.rounds().count()];
        for (int round = 0; round < millis.length; round++) {
            long start = System.nanoTime();
            try (Pool pool = Tiers.open(NativeSys.INSTANCE, directory, DRAM_BYTES, capacity, false)) {
                millis[round] = (System.nanoTime() - start) / 1e6;
                options.note("%,d blocks in %.0f ms".formatted(pool.blocks(), millis[round]));
            }
        }
        String what = "open an SSD tier of %,d blocks".formatted(blocks);
        options.note("the first opening of the process: %.0f ms".formatted(millis[0]));
        options.result(new Absolute(what, "ms", MedianInterval.of(millis), GOAL_MILLIS));
    }

    /** Puts blocks until so many have gone down. */
    private void fill(Pool pool) {
        SplittableRandom random = new SplittableRandom(1);
        try (Session session = pool.session("bench")) {
            while (Tiers.below(pool) < blocks) {
                ByteBuffer key = ByteBuffer.allocate(KEY_BYTES);
                key.putLong(random.nextLong()).putLong(random.nextLong()).putLong(random.nextLong());
                Reserved reserved = session.reserve(BlockKey.of(key.array()), PAGE, PutHints.NONE, PutMode.REPLACE);
                if (reserved instanceof Reserved.Reservation space) {
                    space.segments().forEach(part -> part.fill((byte) 1));
                    Answer answer = space.commit();
                    if (answer != Answer.STORED) {
                        throw new IllegalStateException("put of a page answered " + answer);
                    }
                } else {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    /** The machine's calls, except that what is written to the slab (whole pages at whole pages) is not. */
    private static Sys withoutBytes() {
        return (Sys) Proxy.newProxyInstance(
                Sys.class.getClassLoader(), new Class<?>[] {Sys.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("pwrite")
                            && arguments[1] instanceof MemorySegment bytes
                            && bytes.byteSize() % PAGE == 0) {
                        return bytes.byteSize();
                    }
                    try {
                        return method.invoke(NativeSys.INSTANCE, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
