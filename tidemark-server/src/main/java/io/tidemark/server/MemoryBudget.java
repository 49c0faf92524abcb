package io.tidemark.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.tidemark.core.medium.SsdOptions;
import io.tidemark.index.policy.Policies;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.MemoryLimits;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Checks before the start that blocks, heap and direct memory together fit: a server that is killed for its memory in
 * the middle of a night is worse than one that does not start.
 *
 * @param heapBytes largest heap of this JVM
 * @param directBytes largest direct memory of this JVM
 * @param stagedBytes memory for values that are read from SSD, and for records of blocks at the start
 */
public record MemoryBudget(long heapBytes, long directBytes, long stagedBytes) {
    /** Code, classes, threads and the collector's own tables. */
    static final long OVERHEAD_BYTES = 192L << 20;

    /** What the heap holds beside the index: classes, connections, garbage of a moment. */
    private static final long HEAP_BASE_BYTES = 64L << 20;

    /** Allocator's tables; on SSD checksums too. */
    private static final long BYTES_PER_PAGE = 12;

    private static final long BYTES_PER_SSD_PAGE = 16;

    /** The index, with 32-byte keys; the order of the backend comes on top. */
    private static final long BYTES_PER_BLOCK = 132;

    /** KV blocks are larger; with smaller ones the heap has to be set by hand. */
    private static final long MEAN_BLOCK_BYTES = 64L << 10;

    /** Less than this is no useful store. */
    private static final long MIN_BLOCK_BYTES = 16L << 20;

    /** Share of what is left that the default capacity takes at most. */
    private static final double DEFAULT_SHARE = 0.75;

    /** Of the running JVM, with what this configuration makes it take beside the blocks. */
    static MemoryBudget ofThisJvm(TidemarkConfig config) {
        return new MemoryBudget(heapOfThisJvm(), directOfThisJvm(), ssdBytes(config));
    }

    /** Native memory for SSD: for the records at the start, for values that are read from then on. */
    public static long ssdBytes(TidemarkConfig config) {
        long start = config.tiers()
                .ssd()
                .mapToLong(ssd -> SsdOptions.startBytes(ssd.capacityBytes(), ssd.pageBytes()))
                .sum();
        return start == 0 ? 0 : Math.max(start, config.limits().reads().bytes());
    }

    /** Largest heap of the running JVM, in bytes. */
    static long heapOfThisJvm() {
        return Runtime.getRuntime().maxMemory();
    }

    /** Largest direct memory of the running JVM, in bytes. */
    static long directOfThisJvm() {
        String direct = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        return direct.equals("0") ? heapOfThisJvm() : Long.parseLong(direct); // 0: as much as the heap
    }

    /**
     * The tiers to use: as configured, or with less memory where the default does not fit.
     *
     * @throws StartException when a given capacity does not fit, or when nothing useful does
     */
    public TierPlan fit(TierPlan tiers, Optional<MemoryLimits.Limit> limit) throws StartException {
        if (limit.isEmpty()) {
            return tiers;
        }
        long wanted = tiers.dramBytes();
        long left = limit.get().bytes() - heapBytes - directBytes - stagedBytes - OVERHEAD_BYTES;
        long fitting = tiers.shrinkable() ? Math.min(wanted, (long) (left * DEFAULT_SHARE)) : wanted;
        if (fitting > left || fitting < Math.min(MIN_BLOCK_BYTES, wanted)) {
            throw new StartException(refusal(Math.max(fitting, MIN_BLOCK_BYTES), left, limit.get()));
        }
        return fitting < wanted ? tiers.withDramBytes(fitting) : tiers;
    }

    /** Everything together with so much memory for blocks. */
    public long totalBytes(long blockBytes) {
        return blockBytes + heapBytes + directBytes + stagedBytes + OVERHEAD_BYTES;
    }

    /**
     * Checks that the heap can hold the index of that many blocks.
     *
     * @param indexBytes what the index was given by hand
     *
     * @throws StartException when it cannot, with a heap that can
     */
    public void checkHeap(TierPlan tiers, OptionalLong indexBytes) throws StartException {
        if (indexBytes.isPresent() && indexBytes.getAsLong() > heapBytes - HEAP_BASE_BYTES) {
            throw new StartException("pool.index-memory of %s does not fit the heap of %s; set TIDEMARK_HEAP=%dm"
                    .formatted(
                            ByteSize.rounded(indexBytes.getAsLong()),
                            ByteSize.rounded(heapBytes),
                            (indexBytes.getAsLong() + HEAP_BASE_BYTES) / (1 << 20) + 1));
        }
        long needed = HEAP_BASE_BYTES
                + tiers.tiers().stream().mapToLong(MemoryBudget::indexBytes).sum();
        if (needed > heapBytes) {
            throw new StartException("the heap of %s is too small for the index of %s; set TIDEMARK_HEAP=%dm"
                    .formatted(
                            ByteSize.rounded(heapBytes),
                            tiers.backends().map(MemoryBudget::shown).collect(Collectors.joining(" and ")),
                            needed / (1 << 20) + 1));
        }
    }

    private static long indexBytes(TierPlan.Tier tier) {
        return tier.members().stream()
                .mapToLong(member -> indexBytes(member.backend(), tier.policy()))
                .sum();
    }

    /** Heap for a backend: the tables of its allocator, entries for its blocks, and their order. */
    private static long indexBytes(TierPlan.Backend backend, String policy) {
        long pageBytes = backend instanceof TierPlan.Ssd ? BYTES_PER_SSD_PAGE : BYTES_PER_PAGE;
        long pages = backend.capacityBytes() / backend.pageBytes();
        long blocks = backend.capacityBytes() / Math.max(backend.pageBytes(), MEAN_BLOCK_BYTES);
        return pages * pageBytes + blocks * (BYTES_PER_BLOCK + orderBytes(policy));
    }

    private static long orderBytes(String policy) {
        return policy.equals(TierPlan.NO_EVICTION) ? 0 : Policies.bytesPerNode(policy);
    }

    private static String shown(TierPlan.Backend backend) {
        return ByteSize.rounded(backend.capacityBytes()) + " in pages of " + ByteSize.rounded(backend.pageBytes());
    }

    private String refusal(long blocks, long left, MemoryLimits.Limit limit) {
        String largest = left < MIN_BLOCK_BYTES
                ? "nothing useful fits; lower TIDEMARK_HEAP or TIDEMARK_DIRECT"
                : "the largest --dram that fits is " + left / (1 << 20) + "Mi";
        return "%s for blocks + %s heap + %s direct memory%s + %s for the JVM itself = %s, more than %s (%s); %s"
                .formatted(
                        ByteSize.rounded(blocks),
                        ByteSize.rounded(heapBytes),
                        ByteSize.rounded(directBytes),
                        stagedBytes == 0 ? "" : " + " + ByteSize.rounded(stagedBytes) + " for reads from SSD",
                        ByteSize.rounded(OVERHEAD_BYTES),
                        ByteSize.rounded(totalBytes(blocks)),
                        ByteSize.rounded(limit.bytes()),
                        limit.source(),
                        largest);
    }
}
