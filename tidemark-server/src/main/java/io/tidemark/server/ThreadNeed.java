package io.tidemark.server;

import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.ThreadLimits;
import io.tidemark.server.resp.RespOptions;
import java.util.Optional;

/**
 * Threads that a server takes; where the system starts none, its start ends, or reads of an SSD are refused as busy.
 *
 * @param atStart until it serves, those of the JVM included
 * @param most with all that come when there is work for them
 */
public record ThreadNeed(long atStart, long most) {
    /** The JVM's: of these so many, and so many more for each processor, for collector, compilers and carriers. */
    private static final long JVM = 20;

    private static final long JVM_A_PROCESSOR = 2;

    /** Of the process: main, signals, end, who tells of it, HTTP, marks, time, summary, recording. */
    private static final long OWN = 9;

    /** Of a device: opening, journal, look-out for its name. */
    private static final long DEVICE = 3;

    /** Of a device, and of what concerns several: commands that wait. */
    private static final long JOBS = 4;

    /** For each configuration, on so many processors. */
    public static ThreadNeed of(TidemarkConfig config, int processors) {
        TierPlan tiers = config.tiers();
        long devices = tiers.ssd().count();
        boolean moves = tiers.tiers().stream()
                .anyMatch(
                        tier -> !tier.offloadTo().isEmpty() || tier.promotion().isPresent());
        long atStart = JVM
                + JVM_A_PROCESSOR * processors
                + OWN
                + RespOptions.defaultLoops()
                + DEVICE * devices
                + (moves ? config.limits().moves().workers() * Math.max(1, devices) : 0);
        long readers = config.limits().reads().threads();
        long aDevice = readers + Math.ceilDiv(readers, 2) + 1; // small reads, large ones, ends of blocks
        long below = tiers.tiers().stream()
                .skip(1)
                .mapToLong(tier -> tier.members().size())
                .sum();
        return new ThreadNeed(atStart, atStart + aDevice * devices + JOBS * (below + 1) + 2);
    }

    /** Whether this is the JVM's word for a thread that the system does not start; where the heap is used up the process ends. */
    static boolean isRefused(OutOfMemoryError error) {
        return String.valueOf(error.getMessage()).contains("native thread");
    }

    /** What to say where the system has refused a thread: memory may be the reason too, so only a limit that is short is blamed. */
    String refusal(Optional<ThreadLimits.Limit> limit) {
        String refused = "the system starts no thread for it: ";
        return limit.filter(tightest -> tightest.left() < most)
                .map(shortest -> refused + shown(shortest) + "; " + advice(shortest))
                .orElse(refused + "expected room for " + most
                        + "; look at ulimit -u, pids.max, vm.max_map_count, ulimit -v and free memory");
    }

    /** A limit in words, with what is left of it. */
    public static String shown(ThreadLimits.Limit limit) {
        return limit.used() + " threads of " + limit.threads() + " are there (" + limit.source() + ")";
    }

    /** What to change about a limit that is too low. */
    public String advice(ThreadLimits.Limit limit) {
        return "a server with these settings takes " + atStart + " to start and up to " + most + "; raise "
                + limit.raise() + " " + (limit.used() + most);
    }
}
