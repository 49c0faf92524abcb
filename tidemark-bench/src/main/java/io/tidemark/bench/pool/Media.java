package io.tidemark.bench.pool;

import io.tidemark.core.medium.Allocation;
import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.locks.LockSupport;

/** Media for benchmarks. */
final class Media {
    private static final long POLL_NANOS = 10_000_000;
    private static final long TOUCH_NANOS = 600_000_000_000L;

    private Media() {}

    /** A DRAM medium whose memory is touched to the last page. */
    static DramMedium touchedDram(String name, long capacityBytes) throws IOException {
        DramMedium medium = DramMedium.open(NativeSys.INSTANCE, DramOptions.of(name, capacityBytes));
        long deadline = System.nanoTime() + TOUCH_NANOS;
        while (medium.ledger().snapshot().untouched() > 0) {
            if (System.nanoTime() > deadline) {
                throw new IOException(name + " was not touched in time");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return medium;
    }

    /** Space that must be there. */
    static long allocate(Medium medium, long bytes) {
        return switch (medium.allocate(bytes)) {
            case Allocation.Allocated got -> got.copy();
            case Allocation.NoSpace _, Allocation.TooLarge _, Allocation.Unavailable _ ->
                throw new IllegalStateException(medium.name() + " has no space for " + bytes + " bytes");
        };
    }

    /** The machine's calls, except that advice about memory is taken and not followed: no page is ever touched. */
    static Sys untouchedMemory() {
        return (Sys) Proxy.newProxyInstance(
                Sys.class.getClassLoader(),
                new Class<?>[] {Sys.class},
                (proxy, method, arguments) ->
                        method.getName().equals("madvise") ? null : method.invoke(NativeSys.INSTANCE, arguments));
    }
}
