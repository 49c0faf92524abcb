package io.tidemark.bench.jmh;

import io.tidemark.server.replay.BlockContent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Making and checking the content of replayed blocks: it must be far cheaper than moving them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ContentJmh {
    /** Length of a block. */
    @Param({"65536", "1048576"})
    private int blockBytes;

    private final BlockContent content = new BlockContent();
    private MemorySegment block = MemorySegment.NULL;
    private long number = 7;

    /** Allocates the block, at an odd address as it has inside a command. */
    @Setup
    public void allocate() {
        block = Arena.ofAuto().allocate(blockBytes + 1).asSlice(1);
        content.fill(block, 7);
    }

    /** Makes a block. */
    @Benchmark
    public void fill() {
        content.fill(block, number++);
    }

    /** Checks a block that is right. */
    @Benchmark
    public long check() {
        return content.wrongBytes(block, 7);
    }
}
