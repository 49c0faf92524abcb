package io.tidemark.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A loop device with an ext4, and a group of processes for which the kernel makes it as slow as one likes. */
final class ThrottledDevice implements AutoCloseable {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup/blkio");

    private final Ext4Mount mount;
    private final Path group;
    private final String device;

    private ThrottledDevice(Ext4Mount mount, Path group, String device) {
        this.mount = mount;
        this.group = group;
        this.device = device;
    }

    /** Makes one, or skips the test where that is not possible: it takes root, loop devices and the blkio controller. */
    static ThrottledDevice orSkip(Path folder, long bytes) throws IOException {
        Assumptions.assumeTrue(
                Files.isWritable(GROUPS), "no throttled device here: it takes root and the blkio controller");
        Ext4Mount mount = Ext4Mount.orSkip(folder, bytes);
        Path group = Files.createDirectory(
                GROUPS.resolve("tidemark-test-" + ProcessHandle.current().pid()));
        long number = (long) Files.getAttribute(mount.root(), "unix:dev");
        return new ThrottledDevice(mount, group, (number >>> 8 & 0xfff) + ":" + (number & 0xff));
    }

    Path directory() {
        return mount.root().resolve("ssd");
    }

    /** What to start a process with, so that it belongs to the group. */
    List<String> wrapper() {
        return List.of("sh", "-c", "echo $$ > " + group + "/cgroup.procs && exec \"$@\"", "sh");
    }

    /** From now on so many bytes a second in each direction for the group; 0: as many as there are. */
    void limit(long bytesPerSecond) throws IOException {
        for (String way : List.of("read", "write")) {
            Files.writeString(group.resolve("blkio.throttle." + way + "_bps_device"), device + " " + bytesPerSecond);
        }
    }

    /** Takes it away; no process of the group may be left. */
    @Override
    public void close() throws IOException {
        limit(0);
        Files.deleteIfExists(group);
        mount.close();
    }
}
