package io.tidemark.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A loop device with an ext4, and a group of processes for which the kernel makes it as slow as one likes. */
final class ThrottledDevice implements AutoCloseable {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup/blkio");
    private static final long RUN_SECONDS = 30;

    private final Path mount;
    private final Path group;
    private final String device;

    private ThrottledDevice(Path mount, Path group, String device) {
        this.mount = mount;
        this.group = group;
        this.device = device;
    }

    /** Makes one, or skips the test where that is not possible: it takes root, loop devices and the blkio controller. */
    static ThrottledDevice orSkip(Path folder, long bytes) throws IOException {
        Path image = folder.resolve("image");
        Path mount = Files.createDirectory(folder.resolve("mount"));
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        Assumptions.assumeTrue(
                Files.isWritable(GROUPS)
                        && run("mkfs.ext4", "-q", "-F", image.toString())
                        && run("mount", "-o", "loop", image.toString(), mount.toString()),
                "no throttled loop device here: it takes root, mkfs.ext4, loop devices and the blkio controller");
        Path group = Files.createDirectory(
                GROUPS.resolve("tidemark-test-" + ProcessHandle.current().pid()));
        long number = (long) Files.getAttribute(mount, "unix:dev");
        return new ThrottledDevice(mount, group, (number >>> 8 & 0xfff) + ":" + (number & 0xff));
    }

    Path directory() {
        return mount.resolve("ssd");
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

    private static boolean run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(RUN_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Takes it away; no process of the group may be left. */
    @Override
    public void close() throws IOException {
        limit(0);
        Files.deleteIfExists(group);
        if (!run("umount", mount.toString())) {
            throw new IOException("cannot unmount " + mount);
        }
    }
}
