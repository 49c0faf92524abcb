package io.tidemark.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** An ext4 in a file, mounted through a loop device. */
final class Ext4Mount implements AutoCloseable {
    private static final long RUN_SECONDS = 30;

    private final Path image;
    private final Path root;

    private Ext4Mount(Path image, Path root) {
        this.image = image;
        this.root = root;
    }

    /** Makes one, or skips the test where that is not possible: it takes root, mkfs.ext4 and loop devices. */
    static Ext4Mount orSkip(Path folder, long bytes) throws IOException {
        Path image = folder.resolve("image");
        Ext4Mount mount = new Ext4Mount(image, Files.createDirectory(folder.resolve("mount")));
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        Assumptions.assumeTrue(
                run("mkfs.ext4", "-q", "-F", image.toString()) && mount.attach("rw"),
                "no loop mount here: it takes root, mkfs.ext4 and loop devices");
        return mount;
    }

    Path root() {
        return root;
    }

    /** Takes it away and mounts it again; nobody may have a file open. */
    void again(String options) throws IOException {
        close();
        if (!attach(options)) {
            throw new IOException("cannot mount " + root + " " + options);
        }
    }

    /**
     * Cuts it off from its disk: each call to its files fails from here on. Skips the test where there is no program for that.
     */
    void cutOff() throws IOException {
        Assumptions.assumeTrue(
                run("xfs_io", "-x", "-c", "shutdown", root.toString()), "no xfs_io here (package xfsprogs)");
    }

    private boolean attach(String options) throws IOException {
        return run("mount", "-o", "loop," + options, image.toString(), root.toString());
    }

    private static boolean run(String... command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException _) {
            return false; // there is no such program
        }
        try {
            return process.waitFor(RUN_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        if (!run("umount", root.toString())) {
            throw new IOException("cannot unmount " + root);
        }
    }
}
