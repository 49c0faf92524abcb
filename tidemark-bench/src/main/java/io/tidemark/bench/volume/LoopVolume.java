package io.tidemark.bench.volume;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An ext4 volume in a loop device, filled to {@link #FILL_PERCENT}: an image is made once, and every {@link #fresh}
 * mounts a new copy of it. Needs root.
 */
final class LoopVolume implements AutoCloseable {
    /** How full a fresh volume is. */
    static final double FILL_PERCENT = 88;

    private static final int FILE_BYTES = 16_384;
    private static final int PAGE = 4_096;
    private static final int INODE_BYTES = 256;
    private static final long SPARE_BYTES = 96L << 20;
    private static final String MOUNT = "mount";
    private static final String CACHE = "kv/model-cache/models";

    private final Path image;
    private final Path copy;
    private final Path mount;
    private final long files;
    private boolean mounted;
    private Optional<FileStore> store = Optional.empty();

    private LoopVolume(Path folder, long files) {
        this.files = files;
        image = folder.resolve("volume.img");
        copy = folder.resolve("copy.img");
        mount = folder.resolve(MOUNT);
    }

    /** Makes the image. */
    static LoopVolume make(Path folder, Reference reference, long files, Shape shape)
            throws IOException, InterruptedException {
        LoopVolume volume = new LoopVolume(folder, files);
        Files.createDirectories(volume.mount);
        long directories = shape.directories(files);
        long inodes = (long) ((files + directories) * 1.06) + 20_000;
        long need = files * FILE_BYTES + directories * PAGE;
        long bytes = (long) (need / (FILL_PERCENT / 100 * 0.985)) + inodes * INODE_BYTES + SPARE_BYTES;
        try (RandomAccessFile file = new RandomAccessFile(volume.image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        Commands.run(
                "mkfs.ext4",
                "-q",
                "-F",
                "-m",
                "0",
                "-N",
                Long.toString(inodes),
                "-E",
                "lazy_itable_init=0,lazy_journal_init=0,assume_storage_prezeroed=1",
                volume.image.toString());
        volume.mount(volume.image);
        Path cache = volume.cache();
        Files.createDirectories(cache);
        reference.make(cache, files, shape);
        volume.fill();
        volume.unmount();
        return volume;
    }

    /** Takes away what may be mounted of a folder in which a volume was made, also while it is used. */
    static void detach(Path folder) throws IOException, InterruptedException {
        String mounted = folder.resolve(MOUNT).toString();
        boolean is = Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .anyMatch(line -> line.split(" ", -1)[1].equals(mounted));
        if (is) {
            Commands.run("umount", "-l", mounted);
        }
    }

    private Path ballast() {
        return mount.resolve(".ballast");
    }

    /** Takes away what is no file of the cache: a few percent of the volume. */
    void lighten() throws IOException {
        Files.delete(ballast());
    }

    /** Fills up to {@link #FILL_PERCENT} with something that is no file of the cache. */
    void fill() throws IOException, InterruptedException {
        long missing = (long) (FILL_PERCENT / 100 * store().getTotalSpace()) - usedBytes();
        if (missing > 0) {
            Commands.run("fallocate", "-l", Long.toString(missing), ballast().toString());
        }
    }

    private void mount(Path what) throws IOException, InterruptedException {
        Commands.run("mount", "-o", "loop", what.toString(), mount.toString());
        store = Optional.empty();
        mounted = true;
    }

    private void unmount() throws IOException, InterruptedException {
        if (mounted) {
            Commands.run("umount", mount.toString());
            mounted = false;
        }
    }

    /** Mounts a new copy in place of what was mounted. */
    void fresh() throws IOException, InterruptedException {
        unmount();
        Commands.run("cp", "--sparse=always", image.toString(), copy.toString());
        mount(copy);
    }

    Path mountPoint() {
        return mount;
    }

    Path cache() {
        return mount.resolve(CACHE);
    }

    String cacheDirectory() {
        return CACHE;
    }

    long files() {
        return files;
    }

    /** Found once a mount: an evictor's side asks all the time, and finding it reads the whole table of mounts. */
    private FileStore store() throws IOException {
        FileStore found = store.isPresent() ? store.get() : Files.getFileStore(mount);
        store = Optional.of(found);
        return found;
    }

    long totalBytes() throws IOException {
        return store().getTotalSpace();
    }

    /** The same without what the file system keeps for root and for itself, as a writer sees it. */
    long writableBytes() throws IOException {
        return usedBytes() + store().getUsableSpace();
    }

    long usedBytes() throws IOException {
        FileStore store = store();
        return store.getTotalSpace() - store.getUnallocatedSpace();
    }

    double usedPercent() throws IOException {
        return 100.0 * usedBytes() / totalBytes();
    }

    /** Allocated bytes of a file. */
    static int fileBytes() {
        return FILE_BYTES;
    }

    @Override
    public void close() throws IOException {
        try {
            unmount();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted; " + mount + " may be mounted still", e);
        }
        Files.deleteIfExists(copy);
        Files.deleteIfExists(image);
    }
}
