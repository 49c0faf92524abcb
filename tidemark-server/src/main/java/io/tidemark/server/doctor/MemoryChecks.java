package io.tidemark.server.doctor;

import io.tidemark.server.MemoryBudget;
import io.tidemark.server.StartException;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.MemoryLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Looks at whether blocks, heap and direct memory of a server fit, and at what the kernel does with memory. */
final class MemoryChecks {
    private static final String HEAP = "TIDEMARK_HEAP";
    private static final String DIRECT = "TIDEMARK_DIRECT";
    /** What the start script gives {@code serve}. */
    private static final Map<String, String> SCRIPT_DEFAULTS = Map.of(HEAP, "512m", DIRECT, "256m");

    private final KernelFiles kernel;
    private final Optional<MemoryLimits.Limit> limit;
    private final Map<String, String> environment;

    /** @param limit what the machine and its cgroups allow this process */
    MemoryChecks(KernelFiles kernel, Optional<MemoryLimits.Limit> limit, Map<String, String> environment) {
        this.kernel = kernel;
        this.limit = limit;
        this.environment = environment;
    }

    /**
     * Everything about memory.
     *
     * @param running whether a server holds its memory already
     */
    List<Finding> all(TidemarkConfig config, boolean running) {
        List<Finding> findings = new ArrayList<>();
        Optional<Long> heap = size(HEAP);
        Optional<Long> direct = size(DIRECT);
        if (heap.isEmpty() || direct.isEmpty()) {
            findings.add(Finding.fail(
                    "memory", "TIDEMARK_HEAP or TIDEMARK_DIRECT is no size", "expected a number with m or g, as 512m"));
        } else {
            MemoryBudget budget = new MemoryBudget(heap.get(), direct.get(), MemoryBudget.ssdBytes(config));
            findings.add(budget(budget, config));
            findings.add(index(budget, config));
            if (!running) {
                findings.add(available(budget, config));
            }
        }
        findings.add(hugePages(config.hugePages()));
        findings.add(swap());
        findings.add(overcommit());
        return findings;
    }

    private Optional<Long> size(String variable) {
        String text = environment.getOrDefault(variable, "");
        return JvmSize.parse(text.isBlank() ? SCRIPT_DEFAULTS.getOrDefault(variable, "") : text);
    }

    private Finding budget(MemoryBudget budget, TidemarkConfig config) {
        try {
            TierPlan fitted = budget.fit(config.tiers(), limit);
            String found = ByteSize.rounded(fitted.dramBytes()) + " for blocks, "
                    + ByteSize.rounded(budget.totalBytes(fitted.dramBytes())) + " in all, of "
                    + limit.map(most -> ByteSize.rounded(most.bytes()) + " (" + most.source() + ")")
                            .orElse("an unknown amount");
            return fitted.dramBytes() < config.tiers().dramBytes()
                    ? Finding.warn("memory", found, "the default does not fit and shrinks; say how much with --dram")
                    : Finding.ok("memory", found);
        } catch (StartException e) {
            return Finding.fail("memory", String.valueOf(e.getMessage()), "lower --dram or give the process more");
        }
    }

    private static Finding index(MemoryBudget budget, TidemarkConfig config) {
        try {
            budget.checkHeap(config.tiers(), config.limits().indexBytes());
            return Finding.ok("heap", ByteSize.rounded(budget.heapBytes()) + ", enough for the index");
        } catch (StartException e) {
            return Finding.fail("heap", String.valueOf(e.getMessage()), "start with the larger heap that is named");
        }
    }

    private Finding available(MemoryBudget budget, TidemarkConfig config) {
        OptionalLong free = kernel.memory("MemAvailable");
        long needed = budget.totalBytes(config.tiers().dramBytes());
        if (free.isEmpty()) {
            return Finding.ok("memory-now", "the kernel does not say what is free");
        }
        String found = ByteSize.rounded(free.getAsLong()) + " available now, " + ByteSize.rounded(needed) + " needed";
        return free.getAsLong() >= needed
                ? Finding.ok("memory-now", found)
                : Finding.warn("memory-now", found, "something else holds memory; the kernel may kill one of the two");
    }

    private Finding hugePages(boolean wanted) {
        String setting = KernelFiles.line(kernel.sys().resolve("kernel/mm/transparent_hugepage/enabled"))
                .orElse("not told");
        if (!wanted) {
            return Finding.ok("huge-pages", setting + "; not asked for (dram.huge-pages)");
        }
        return setting.contains("[madvise]") || setting.contains("[always]")
                ? Finding.ok("huge-pages", setting)
                : Finding.warn(
                        "huge-pages",
                        setting,
                        "blocks lie in small pages, reads and writes are slower; echo madvise >"
                                + " /sys/kernel/mm/transparent_hugepage/enabled");
    }

    private Finding swap() {
        int spaces =
                Math.max(0, KernelFiles.lines(kernel.proc().resolve("swaps")).size() - 1);
        return spaces == 0
                ? Finding.ok("swap", "none")
                : Finding.warn(
                        "swap",
                        spaces + (spaces == 1 ? " swap space" : " swap spaces"),
                        "blocks may be swapped out and reads then stall; swapoff, or memory.swap.max=0 for the cgroup");
    }

    private Finding overcommit() {
        String setting = KernelFiles.line(kernel.proc().resolve("sys/vm/overcommit_memory"))
                .orElse("not told");
        return setting.equals("2")
                ? Finding.warn(
                        "overcommit",
                        "strict (vm.overcommit_memory=2)",
                        "the whole memory for blocks is committed at the start; see that CommitLimit allows it")
                : Finding.ok("overcommit", "vm.overcommit_memory=" + setting);
    }
}
