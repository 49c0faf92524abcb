package io.tidemark.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.config.TidemarkConfig;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * Checks before the start that blocks, heap and direct memory together fit: a server that is killed for its memory in
 * the middle of a night is worse than one that does not start.
 *
 * @param heapBytes largest heap of this JVM
 * @param directBytes largest direct memory of this JVM
 */
record MemoryBudget(long heapBytes, long directBytes) {
    /** Code, classes, threads and the collector's own tables. */
    static final long OVERHEAD_BYTES = 192L << 20;

    /** Less than this is no useful store. */
    private static final long MIN_BLOCK_BYTES = 16L << 20;

    /** Share of what is left that the default capacity takes at most. */
    private static final double DEFAULT_SHARE = 0.75;

    /** Of the running JVM. */
    static MemoryBudget ofThisJvm() {
        long heap = Runtime.getRuntime().maxMemory();
        String direct = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        return new MemoryBudget(heap, direct.equals("0") ? heap : Long.parseLong(direct)); // 0: as much as the heap
    }

    /**
     * The memory to use: as configured, or less where the default does not fit.
     *
     * @throws StartException when a given capacity does not fit, or when nothing useful does
     */
    TidemarkConfig.Dram fit(TidemarkConfig.Dram dram, Optional<MemoryLimits.Limit> limit) throws StartException {
        if (limit.isEmpty()) {
            return dram;
        }
        long left = limit.get().bytes() - heapBytes - directBytes - OVERHEAD_BYTES;
        long fitting = dram.shrinkable()
                ? Math.min(dram.capacityBytes(), (long) (left * DEFAULT_SHARE))
                : dram.capacityBytes();
        if (fitting > left || fitting < Math.min(MIN_BLOCK_BYTES, dram.capacityBytes())) {
            throw new StartException(refusal(Math.max(fitting, MIN_BLOCK_BYTES), left, limit.get()));
        }
        return dram.withCapacity(fitting);
    }

    private String refusal(long blocks, long left, MemoryLimits.Limit limit) {
        String largest = left < MIN_BLOCK_BYTES
                ? "nothing useful fits; lower TIDEMARK_HEAP or TIDEMARK_DIRECT"
                : "the largest --dram that fits is " + left / (1 << 20) + "Mi";
        return "%s for blocks + %s heap + %s direct memory + %s for the JVM itself = %s, more than %s (%s); %s"
                .formatted(
                        ByteSize.rounded(blocks),
                        ByteSize.rounded(heapBytes),
                        ByteSize.rounded(directBytes),
                        ByteSize.rounded(OVERHEAD_BYTES),
                        ByteSize.rounded(blocks + heapBytes + directBytes + OVERHEAD_BYTES),
                        ByteSize.rounded(limit.bytes()),
                        limit.source(),
                        largest);
    }
}
