package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MemoryDir;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writers that come back to folders out of which everything has gone, while the cleaner removes them (ADR 16). */
class WritersBesideTheCleanerTest {
    private static final int FILES = 20_000;
    private static final int BUCKETS = 4_096;
    private static final int LEAVES = 16;
    private static final int ROUNDS = 1_000;
    private static final String RANK = "m_0123456789ab_r0";
    private static final int TTL_SECONDS = 2;

    /** Stamps are compared by whole seconds: so long at least nothing happens to a folder that was changed. */
    private static final long SAFE_NANOS = TimeUnit.SECONDS.toNanos(TTL_SECONDS - 1);

    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final TwinCalls calls = new TwinCalls(FILES * (long) CacheFiles.FILE_BYTES * 10 / 9, 0);
    private final Queue<Block> written = new ConcurrentLinkedQueue<>();
    private final AtomicLong number = new AtomicLong(1 << 20);
    private final AtomicInteger removedFolders = new AtomicInteger();
    private final AtomicInteger lostOnce = new AtomicInteger();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    /** A file, with the folders that a writer makes for it, the uppermost first. */
    private record Block(List<Path> folders, Path file) {
        private boolean exists() {
            return Files.exists(file);
        }
    }

    private Block block(int bucket, int leaf) {
        String hash = String.format(Locale.ROOT, "%03x%02x%011x", bucket, leaf, number.incrementAndGet());
        Path rank = mount.resolve("cache").resolve(RANK);
        Path bucketFolder = rank.resolve(hash.substring(0, 3));
        Path leafFolder = bucketFolder.resolve(hash.substring(3, 5) + "_g0");
        return new Block(List.of(rank, bucketFolder, leafFolder), leafFolder.resolve(hash + ".bin"));
    }

    /** What came of one try to make the folders of a file and the file. */
    private enum Try {
        STORED,
        /** ENOENT in a folder that was there already. */
        OLD_FOLDER_GONE,
        /** ENOENT in spite of a folder that the try has made. */
        NEW_FOLDER_GONE
    }

    private static Try store(Block block) throws IOException {
        boolean made = false;
        try {
            for (Path folder : block.folders) {
                made |= makes(folder);
            }
            Files.createFile(block.file);
            return Try.STORED;
        } catch (NoSuchFileException _) {
            return made ? Try.NEW_FOLDER_GONE : Try.OLD_FOLDER_GONE;
        }
    }

    private static boolean makes(Path folder) throws IOException {
        try {
            Files.createDirectory(folder);
            return true;
        } catch (FileAlreadyExistsException _) {
            return false;
        }
    }

    private static boolean makesFile(Block block) throws IOException {
        try {
            Files.createFile(block.file);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /** Stores a file as a writer does that makes its folders anew once. */
    private void write(Block block) {
        try {
            long start = System.nanoTime();
            Try first = store(block);
            if (first == Try.STORED) {
                written.add(block);
            } else {
                again(block, first, start);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The second and last try, which must not fail unless the writer has been away for long. */
    private void again(Block block, Try first, long startNanos) throws IOException {
        lostOnce.incrementAndGet();
        Try second = store(block);
        if (second == Try.STORED) {
            written.add(block);
        }
        boolean isRight = first == Try.OLD_FOLDER_GONE && second == Try.STORED;
        if (!isRight && System.nanoTime() - startNanos < SAFE_NANOS) {
            violations.add(block.file + ": " + first + ", then " + second);
        }
    }

    /** Every tenth removal has a writer in the midst of it: before it, or with the folder found there before and used after. */
    private int removal(String path, IntSupplier removal) {
        String[] parts = path.split("/", -1);
        int turn = removedFolders.incrementAndGet() % 20;
        if (parts.length < 2 || turn > 1) {
            return removal.getAsInt();
        }
        int leaf = parts.length == 3 ? Integer.parseInt(parts[2].substring(0, 2), 16) : 0;
        Block block = block(Integer.parseInt(parts[1], 16), leaf);
        if (turn == 0) {
            write(block);
            return removal.getAsInt();
        }
        long start = System.nanoTime();
        int result = removal.getAsInt();
        try {
            if (makesFile(block)) { // the folder was not empty, or another writer has made it again
                written.add(block);
            } else {
                again(block, Try.OLD_FOLDER_GONE, start);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return result;
    }

    private Thread writer(long seed, AtomicBoolean goesOn) {
        return Thread.ofPlatform().daemon().start(() -> {
            Random random = new Random(seed);
            for (int round = 0; round < ROUNDS || goesOn.get(); round++) {
                write(block(random.nextInt(BUCKETS), random.nextInt(LEAVES)));
            }
        });
    }

    /** Whether a folder below the rank directory is empty; one that is removed meanwhile is not. */
    private boolean hasEmptyFolders() {
        File rank = mount.resolve("cache").resolve(RANK).toFile();
        return names(rank).stream().map(bucket -> new File(rank, bucket)).anyMatch(bucket -> {
            List<String> leaves = names(bucket);
            return leaves.isEmpty()
                    ? bucket.exists()
                    : leaves.stream()
                            .map(leaf -> new File(bucket, leaf))
                            .anyMatch(leaf -> names(leaf).isEmpty() && leaf.exists());
        });
    }

    private static List<String> names(File folder) {
        return Optional.ofNullable(folder.list()).map(List::of).orElse(List.of());
    }

    @Test
    @Timeout(120)
    void g116_noStoreIsLostThatMakesItsFoldersAgainAndEmptyOnesGo() throws Exception {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        for (int i = 0; i < FILES; i++) {
            Path file = block(i % BUCKETS, i / BUCKETS * 3 + i % 3).file;
            cache.file(cache.root.relativize(file).toString(), Duration.ofMinutes(1_000 + i));
        }
        calls.usedBytes.set((long) FILES * CacheFiles.FILE_BYTES);
        calls.folderRemoval = this::removal;
        long seed = System.nanoTime();
        AtomicBoolean goesOn = new AtomicBoolean(true);
        try (RunningSweeper running = new RunningSweeper(
                RunningSweeper.config(mount, settings -> {
                    settings.thresholds = new Thresholds(85, 4.5, 95, 0);
                    settings.folderTtlSeconds = TTL_SECONDS;
                    settings.queueMax = FILES;
                    settings.readyBuffer = FILES;
                    settings.batch = 500;
                    settings.passSeconds = 1;
                    return settings;
                }),
                calls,
                new TestClocks())) {
            List<Thread> writers = new ArrayList<>(List.of(writer(seed, goesOn), writer(seed + 1, goesOn)));
            assertThat(running.awaitEnded(60)).isTrue();
            assertThat(running.listener.removed.get()).isBetween((long) (FILES * 0.95), (long) (FILES * 0.96));
            while (removedFolders.get() < ROUNDS) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            goesOn.set(false);
            for (Thread writer : writers) {
                writer.join();
            }
            while (hasEmptyFolders()) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        assertThat(violations).as("seed %d", seed).isEmpty();
        assertThat(lostOnce.get()).as("folders were removed under writers").isPositive();
        assertThat(written).hasSizeGreaterThan(2 * ROUNDS).allMatch(Block::exists);
    }
}
