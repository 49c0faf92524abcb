package io.tidemark.server.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryLimitsTest {
    private static final long GI = 1L << 30;

    @TempDir
    private Path root;

    @BeforeEach
    void machineOf16GiB() throws IOException {
        write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:        1 kB\n");
    }

    @Test
    void withoutACgroupTheMachineCounts() {
        assertThat(limits().tightest())
                .hasValueSatisfying(
                        limit -> assertThat(limit).isEqualTo(new MemoryLimits.Limit(16 * GI, "the machine's memory")));
    }

    @Test
    void theTightestOfACgroupAndItsParentsCounts() throws IOException {
        write("proc/self/cgroup", "0::/pods/pod1/tidemark\n");
        write("cgroup/pods/pod1/tidemark/memory.max", "max\n");
        write("cgroup/pods/pod1/memory.max", Long.toString(2 * GI));
        write("cgroup/pods/memory.max", Long.toString(8 * GI));

        assertThat(limits().tightest())
                .hasValueSatisfying(limit -> assertThat(limit.bytes()).isEqualTo(2 * GI));
        assertThat(limits().tightest())
                .hasValueSatisfying(limit -> assertThat(limit.source()).endsWith("pods/pod1/memory.max"));
    }

    @Test
    void insideAContainerTheRootOfTheMountCounts() throws IOException {
        write("proc/self/cgroup", "0::/../../somewhere/else\n");
        write("cgroup/memory.max", Long.toString(GI));

        assertThat(limits().tightest())
                .hasValueSatisfying(limit -> assertThat(limit.bytes()).isEqualTo(GI));
    }

    @Test
    void versionOneIsReadFromItsMemoryController() throws IOException {
        write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/b\n0::/\n");
        write("cgroup/memory/docker/b/memory.limit_in_bytes", Long.toString(3 * GI));
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712");

        assertThat(limits().tightest())
                .hasValueSatisfying(limit -> assertThat(limit.bytes()).isEqualTo(3 * GI));
    }

    @Test
    void noLimitInVersionOneIsNoLimit() throws IOException {
        write("proc/self/cgroup", "4:memory:/\n");
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712");

        assertThat(limits().tightest())
                .hasValueSatisfying(limit -> assertThat(limit.bytes()).isEqualTo(16 * GI));
    }

    private MemoryLimits limits() {
        return new MemoryLimits(root.resolve("proc"), root.resolve("cgroup"));
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
