package io.tidemark.server.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadLimitsTest {
    private static final String NO_CAPABILITIES = "0000000000000000";

    @TempDir
    private Path root;

    @BeforeEach
    void aUserWithTwoProcesses() throws IOException {
        status("self", 1000, 30, NO_CAPABILITIES);
        status("17", 1000, 30, NO_CAPABILITIES);
        status("18", 1000, 12, NO_CAPABILITIES);
        status("19", 0, 500, NO_CAPABILITIES);
        write("proc/self/limits", """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             100                  200                  processes
                """);
        write("proc/sys/kernel/threads-max", "1000\n");
        write("proc/loadavg", "0.10 0.20 0.30 1/542 12345\n");
    }

    private void status(String process, int uid, int threads, String capabilities) throws IOException {
        write(
                "proc/" + process + "/status",
                "Name:\tx\nUid:\t%d\t%d\t%d\t%d\nThreads:\t%d\nCapEff:\t%s\n"
                        .formatted(uid, uid, uid, uid, threads, capabilities));
    }

    private ThreadLimits.Limit tightest() {
        Optional<ThreadLimits.Limit> limit = new ThreadLimits(root.resolve("proc"), root.resolve("cgroup")).tightest();
        assertThat(limit).isPresent();
        return limit.orElseThrow();
    }

    @Test
    void theLimitOfAUserCountsTheThreadsOfAllItsProcesses() {
        assertThat(tightest().left()).isEqualTo(100 - 42);
        assertThat(tightest().source()).isEqualTo("the limit of user 1000, ulimit -u");
    }

    @Test
    void whoMayPassItIsNotHeldByTheLimitOfAUser() throws IOException {
        for (int capability : new int[] {21, 24}) {
            status("self", 0, 30, "%016x".formatted(1L << capability));
            assertThat(tightest().source()).isEqualTo("the kernel's limit, kernel.threads-max");
            assertThat(tightest().left()).isEqualTo(1000 - 542);
        }
        status("self", 0, 30, "%016x".formatted(1L << 22));
        assertThat(tightest().used()).as("of root without these rights").isEqualTo(500);
    }

    @Test
    void eachThreadOfTheMachineTakesAPid() throws IOException {
        status("self", 0, 30, "%016x".formatted(1L << 21));
        write("proc/sys/kernel/pid_max", "600\n");
        assertThat(tightest().source()).isEqualTo("the kernel's limit, kernel.pid_max");
        assertThat(tightest().left()).isEqualTo(600 - 542);
    }

    @Test
    void theTightestOfACgroupAndItsParentsCountsByWhatIsLeft() throws IOException {
        write("proc/self/cgroup", "0::/pods/pod1\n");
        write("cgroup/pods/pod1/pids.max", "max\n");
        write("cgroup/pods/pod1/pids.current", "31\n");
        write("cgroup/pods/pids.max", "300\n");
        write("cgroup/pods/pids.current", "290\n");
        assertThat(tightest().left()).isEqualTo(10);
        assertThat(tightest().source()).endsWith("cgroup/pods/pids.max");

        write("proc/self/cgroup", "8:pids:/docker/a\n4:memory:/docker/b\n");
        write("cgroup/pids/docker/a/pids.max", "50\n");
        write("cgroup/pids/docker/a/pids.current", "47\n");
        assertThat(tightest().left()).as("version 1").isEqualTo(3);
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
