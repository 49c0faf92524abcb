package io.tidemark.core.medium;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** An ext4 of its own in a file, for tests of what a real file system does when it is full, read-only or cut off. */
final class LoopMount implements AutoCloseable {
    private static final long RUN_SECONDS = 20;
    /** {@code EXT4_IOC_SHUTDOWN}. */
    private static final long SHUTDOWN = 0x8004587dL;
    /** Nothing is flushed first: what is not on the device is lost. */
    private static final int NO_FLUSH = 2;

    private final Path image;
    private final Path dir;
    /** File system of its own that the image is on; empty: it is on that of the test. */
    private final Optional<Path> below;

    private LoopMount(Path image, Path dir, Optional<Path> below) {
        this.image = image;
        this.dir = dir;
        this.below = below;
    }

    /** Makes and mounts one, or skips the test where that is not possible: it takes root and loop devices. */
    static LoopMount orSkip(Path folder, long bytes) throws IOException {
        return orSkip(new LoopMount(folder.resolve("image"), folder.resolve("mount"), Optional.empty()), bytes);
    }

    /** As {@link #orSkip(Path, long)}, of more bytes than there are below it: a disk that takes less than it says. */
    static LoopMount thinOrSkip(Path folder, long bytes, long bytesBelow) throws IOException {
        Path below = Files.createDirectory(folder.resolve("below"));
        Assumptions.assumeTrue(
                attempt("mount", "-t", "tmpfs", "-o", "size=" + bytesBelow, "tmpfs", below.toString()),
                "no mount here: it takes root");
        LoopMount mount = new LoopMount(below.resolve("image"), folder.resolve("mount"), Optional.of(below));
        try {
            return orSkip(mount, bytes);
        } catch (IOException | RuntimeException e) {
            mount.close();
            throw e;
        }
    }

    private static LoopMount orSkip(LoopMount mount, long bytes) throws IOException {
        Files.createDirectory(mount.dir);
        try (RandomAccessFile file = new RandomAccessFile(mount.image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        // Blocks of a page: a write that falls short over two pages of what is below is told as done by the loop
        // device.
        Assumptions.assumeTrue(
                attempt("mkfs.ext4", "-q", "-F", "-b", "4096", mount.image.toString()) && mount.tryMount("rw"),
                "no loop mount here: it takes root, mkfs.ext4 and loop devices");
        return mount;
    }

    /** Where a medium can have its directory. */
    Path dir() {
        return dir.resolve("ssd");
    }

    /** Takes it away and mounts it again; nobody may have a file open. */
    void again(String options) throws IOException {
        require(attempt("umount", dir.toString()), "umount " + dir);
        require(tryMount(options), "mount " + dir + " " + options);
    }

    /** Mounts an empty file system over it, which hides what is there; who has its files open goes on. */
    void cover() throws IOException {
        require(attempt("mount", "-t", "tmpfs", "tmpfs", dir.toString()), "mount over " + dir);
    }

    /** Takes that away again. */
    void uncover() throws IOException {
        require(attempt("umount", dir.toString()), "umount " + dir);
    }

    /** Lets nobody, not even root, make a file in a folder; {@code false} takes that back. */
    void protect(Path folder, boolean on) throws IOException {
        require(attempt("chattr", on ? "+i" : "-i", folder.toString()), "chattr of " + folder);
    }

    /** Takes all that is left below the image, or gives it back. */
    void exhaust(boolean on) throws IOException {
        Path foreign = below.orElseThrow().resolve("foreign");
        if (!on) {
            Files.delete(foreign);
            return;
        }
        try (OutputStream out = Files.newOutputStream(foreign)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException _) {
            // it is full
        }
    }

    /** Has everything written that waits for it; whether that could be done. */
    boolean sync() throws IOException {
        return attempt("sync", "-f", dir.toString());
    }

    /** Where another process may put files of its own. */
    Path beside() {
        return dir.resolve("foreign");
    }

    /** Cuts the file system off from its device: from here on every call fails, and what was not written is lost. */
    @SuppressWarnings("restricted") // the C library's ioctl
    void cutOff() throws IOException {
        MethodHandle ioctl = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("ioctl"),
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                        Linker.Option.firstVariadicArg(2));
        int fd = NativeSys.INSTANCE.openat(Sys.AT_FDCWD, dir.toString(), Sys.O_RDONLY | Sys.O_DIRECTORY, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flags = arena.allocateFrom(JAVA_INT, NO_FLUSH);
            require((int) ioctl.invokeExact(fd, SHUTDOWN, flags) == 0, "shutdown of " + dir);
        } catch (RuntimeException | IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            NativeSys.INSTANCE.close(fd);
        }
    }

    @Override
    public void close() throws IOException {
        if (!attempt("umount", dir.toString())) {
            attempt("umount", "-l", dir.toString());
        }
        if (below.isPresent() && !attempt("umount", below.get().toString())) {
            attempt("umount", "-l", below.get().toString());
        }
    }

    private boolean tryMount(String options) throws IOException {
        return attempt("mount", "-o", "loop," + options, image.toString(), dir.toString());
    }

    private static void require(boolean done, String what) throws IOException {
        if (!done) {
            throw new IOException(what + " failed");
        }
    }

    private static boolean attempt(String... command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return false; // there is no such program
        }
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean done = process.waitFor(RUN_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            if (!done) {
                System.err.println(String.join(" ", command) + ": " + said.strip());
            }
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }
}
