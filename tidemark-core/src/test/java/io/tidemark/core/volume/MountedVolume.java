package io.tidemark.core.volume;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file system of its own for a test: in a loop device, or in memory. Needs root; tests are skipped without. */
final class MountedVolume implements AutoCloseable {
    private static final int FILL_STEP = 64 << 10;

    private final Path mount;

    private MountedVolume(Path mount) {
        this.mount = mount;
    }

    /** The file systems that tests run on. */
    enum Kind {
        EXT4(64),
        XFS(320),
        TMPFS(32);

        private final int mebibytes;

        Kind(int mebibytes) {
            this.mebibytes = mebibytes;
        }
    }

    /** Mounts a new one; {@code options} as for mount, {@code makeOptions} as for mkfs. */
    static MountedVolume mount(Path folder, Kind kind, String options, String... makeOptions) throws Exception {
        assumeTrue("0".equals(output("id", "-u")), "needs root, to mount volumes");
        Path mount = Files.createDirectories(folder.resolve("mount"));
        if (kind == Kind.TMPFS) {
            run("mount", "-t", "tmpfs", "-o", "size=" + kind.mebibytes + "m," + options, "tmpfs", mount.toString());
            return new MountedVolume(mount);
        }
        Path image = folder.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength((long) kind.mebibytes << 20);
        }
        List<String> make = new ArrayList<>(
                List.of("mkfs." + (kind == Kind.EXT4 ? "ext4" : "xfs"), "-q", kind == Kind.EXT4 ? "-F" : "-f"));
        make.addAll(List.of(makeOptions));
        make.add(image.toString());
        run(make.toArray(String[]::new));
        run("mount", "-o", "loop," + options, image.toString(), mount.toString());
        return new MountedVolume(mount);
    }

    Path path() {
        return mount;
    }

    /** Usage as a writer without privileges sees it. */
    double usedPercent() throws IOException {
        FileStore store = Files.getFileStore(mount);
        long used = store.getTotalSpace() - store.getUnallocatedSpace();
        return 100.0 * used / (used + store.getUsableSpace());
    }

    long totalBytes() throws IOException {
        return Files.getFileStore(mount).getTotalSpace();
    }

    /**
     * Writes a file that is no block until the volume is so full; what was allocated ahead goes when it is closed. What
     * was written before is put down first: for a file that waits for its blocks XFS reserves about three times as many
     * (4 KiB files), and would give them back, by and by, while a test counts what its files give back.
     */
    Path fillTo(double percent) throws Exception {
        run("sync", "-f", mount.toString());
        Path ballast = mount.resolve("ballast");
        while (usedPercent() < percent) {
            try (RandomAccessFile file = new RandomAccessFile(ballast.toFile(), "rw")) {
                file.seek(file.length());
                while (usedPercent() < percent) {
                    file.write(new byte[FILL_STEP]);
                    file.getFD().sync();
                }
            }
        }
        return ballast;
    }

    /** Takes up what is missing to about so full in one call: a sweeper that is at work cannot make room meanwhile. */
    void fillAtOnce(double percent) throws Exception {
        long bytes = (long) (totalBytes() * (percent - usedPercent()) / 100);
        Path ballast = Files.createTempFile(mount, "ballast", "");
        run("fallocate", "-l", Long.toString(bytes), ballast.toString());
    }

    void remount(String options) throws Exception {
        run("mount", "-o", "remount," + options, mount.toString());
    }

    /** Runs a program; its failure is the test's. */
    static void run(String... command) throws Exception {
        output(command);
    }

    private static String output(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", List.of(command)) + ": " + said);
        }
        return said;
    }

    @Override
    public void close() throws IOException {
        try {
            run("umount", mount.toString());
        } catch (Exception e) {
            throw new IOException("cannot unmount " + mount, e);
        }
    }
}
