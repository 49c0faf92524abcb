package io.tidemark.bench.stress;

import io.tidemark.core.medium.Allocation;
import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SysException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/** Blocks of one page for the states of a test: many states are alive at once, and each frees its block at its end. */
final class Blocks {
    static final int PAGE_BYTES = DramOptions.PAGE_BYTES_MIN;

    /** More pages than jcstress keeps states. */
    private static final long CAPACITY_BYTES = 512L << 20;

    private static final long POLL_NANOS = 1_000_000;
    private static final byte[] KEY = {1};

    static final DramMedium DRAM = open();

    private Blocks() {}

    private static DramMedium open() {
        try {
            DramMedium dram = DramMedium.open(NativeSys.INSTANCE, DramOptions.of("stress", CAPACITY_BYTES));
            dram.copies().trackOrder("lru+np");
            while (dram.ledger().snapshot().untouched() > 0) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            return dram;
        } catch (SysException e) {
            throw new IllegalStateException("no memory for the blocks of the test", e);
        }
    }

    /** A copy that was not committed yet. */
    static long reserve() {
        return switch (DRAM.allocate(PAGE_BYTES)) {
            case Allocation.Allocated(long copy) -> copy;
            case Allocation other -> throw new IllegalStateException("no page for a state: " + other);
        };
    }

    /** A copy that readers find. */
    static long store() {
        long copy = reserve();
        commit(copy);
        return copy;
    }

    static void commit(long copy) {
        if (!DRAM.commit(copy, KEY, 1)) {
            throw new IllegalStateException("copy " + copy + " was not committed");
        }
    }

    /** The one page of a block. */
    static MemorySegment page(long copy) {
        return DRAM.segments(copy).getFirst();
    }
}
