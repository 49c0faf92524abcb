package io.tidemark.server.doctor;

import io.tidemark.server.ThreadNeed;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.machine.ThreadLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Looks at JVM, kernel, processors, clock and limits. */
final class MachineChecks {
    private static final int JAVA_FEATURE = 25;

    /** From here on the kernel fills memory in one call (5.14). */
    private static final int KERNEL_MAJOR = 5;

    private static final int KERNEL_MINOR = 14;

    /** Descriptors beside those of connections. */
    private static final int OWN_DESCRIPTORS = 256;

    /** Clock sources that are read without a system call. */
    private static final Set<String> FAST_CLOCKS =
            Set.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page");

    /** A clock before this was never set. */
    private static final Instant EARLIEST = Instant.parse("2025-01-01T00:00:00Z");

    private final KernelFiles kernel;

    MachineChecks(KernelFiles kernel) {
        this.kernel = kernel;
    }

    /** What holds for any configuration. */
    List<Finding> always(Instant now) {
        List<Finding> findings = new ArrayList<>();
        findings.add(java());
        findings.add(version(System.getProperty("os.version", ""), System.getProperty("os.arch", "")));
        findings.add(processors(Runtime.getRuntime().availableProcessors()));
        findings.add(clock(now));
        findings.add(clockSource());
        findings.add(ioUring());
        return findings;
    }

    private static Finding java() {
        String found = System.getProperty("java.vm.name", "") + " " + Runtime.version();
        return Runtime.version().feature() >= JAVA_FEATURE
                ? Finding.ok("java", found)
                : Finding.fail("java", found, "install JDK " + JAVA_FEATURE + " or later and set JAVA_HOME");
    }

    static Finding version(String version, String arch) {
        String found = "Linux " + version + ", " + arch;
        if (!Set.of("amd64", "aarch64").contains(arch)) {
            return Finding.fail("kernel", found, "expected a 64-bit machine, x86-64 or aarch64");
        }
        String[] parts = version.split("[.-]", 3);
        boolean known = parts.length >= 2 && parts[0].matches("\\d{1,4}") && parts[1].matches("\\d{1,4}");
        int major = known ? Integer.parseInt(parts[0]) : 0;
        boolean recent = major > KERNEL_MAJOR || (major == KERNEL_MAJOR && Integer.parseInt(parts[1]) >= KERNEL_MINOR);
        return recent
                ? Finding.ok("kernel", found)
                : Finding.warn(
                        "kernel", found, "expected Linux 5.14 or later: memory is filled page by page before it");
    }

    static Finding processors(int count) {
        String found = count + (count == 1 ? " processor" : " processors");
        return count > 1
                ? Finding.ok("processors", found)
                : Finding.warn(
                        "processors",
                        found,
                        "give it two: evictions and moves wait for the threads that serve otherwise");
    }

    static Finding clock(Instant now) {
        return now.isAfter(EARLIEST)
                ? Finding.ok("clock", now.toString())
                : Finding.fail("clock", now.toString(), "set the clock: times to live are kept by it across a restart");
    }

    private Finding clockSource() {
        String source = KernelFiles.line(
                        kernel.sys().resolve("devices/system/clocksource/clocksource0/current_clocksource"))
                .orElse("not told");
        return FAST_CLOCKS.contains(source)
                ? Finding.ok("clock-source", source)
                : Finding.warn(
                        "clock-source", source, "each look at the clock is a system call; expected tsc or kvm-clock");
    }

    private Finding ioUring() {
        String setting = KernelFiles.line(kernel.proc().resolve("sys/kernel/io_uring_disabled"))
                .orElse("");
        boolean filtered = KernelFiles.lines(kernel.proc().resolve("self/status")).stream()
                .anyMatch(line -> line.matches("Seccomp:\\s+2"));
        String found = switch (setting) {
            case "0" -> "the kernel allows it" + (filtered ? ", a seccomp filter may forbid it" : "");
            case "1" -> "the kernel allows it to privileged processes only";
            case "2" -> "the kernel forbids it";
            default -> "this kernel does not say";
        };
        return Finding.ok("io-uring", found + "; it is not needed");
    }

    /** Descriptors for the connections that the configuration allows. */
    Finding descriptors(TidemarkConfig config) {
        OptionalLong limit = kernel.hardLimit("Max open files");
        long needed = (long) config.redis().maxConnections() + OWN_DESCRIPTORS;
        if (limit.isEmpty()) {
            return Finding.ok("descriptors", "no limit");
        }
        String found = limit.getAsLong() + " for " + config.redis().maxConnections() + " connections";
        if (limit.getAsLong() <= OWN_DESCRIPTORS) {
            return Finding.warn(
                    "descriptors",
                    found + ", fewer than the server itself may need",
                    "raise the hard limit to " + needed + " (LimitNOFILE=, ulimit -Hn)");
        }
        return limit.getAsLong() >= needed
                ? Finding.ok("descriptors", found)
                : Finding.warn(
                        "descriptors",
                        found,
                        "raise the hard limit to " + needed
                                + " (LimitNOFILE=, ulimit -Hn), or lower --max-connections to "
                                + (limit.getAsLong() - OWN_DESCRIPTORS));
    }

    /**
     * Threads that the server takes, against what the system still starts.
     *
     * @param running whether a server has its threads already
     */
    static Finding threads(ThreadNeed need, Optional<ThreadLimits.Limit> tightest, boolean running) {
        if (tightest.isEmpty()) {
            return Finding.ok("threads", "no limit; up to " + need.most() + " needed");
        }
        ThreadLimits.Limit limit = tightest.get();
        String found = ThreadNeed.shown(limit);
        if (running && limit.left() > 0) {
            return Finding.ok("threads", found + ", those of the server that runs among them");
        }
        if (limit.left() >= need.most()) {
            return Finding.ok("threads", found + "; up to " + need.most() + " needed");
        }
        return limit.left() < need.atStart()
                ? Finding.fail("threads", found + ", too many for a start", need.advice(limit))
                : Finding.warn(
                        "threads",
                        found + ", too many for all that may come: reads of an SSD are refused as busy then",
                        need.advice(limit));
    }

    /** Locked memory: shown, for nothing here locks any. */
    Finding lockedMemory() {
        OptionalLong limit = kernel.hardLimit("Max locked memory");
        return Finding.ok(
                "locked-memory",
                (limit.isEmpty() ? "no limit" : ByteSize.rounded(limit.getAsLong()) + " at most")
                        + "; blocks are not locked");
    }
}
