package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeDirectoryCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderCleanerTest {
    private static final int ROUNDS = 10_000;

    @TempDir
    private Path root;

    private final TestClocks clocks = new TestClocks();
    private final VolumeCounters counters = new VolumeCounters();
    private final FolderQueue queue = new FolderQueue(clocks, 20_000, 0);
    private CacheFiles cache;
    private RankDir rank;

    @BeforeEach
    void files() throws Exception {
        cache = new CacheFiles(root);
        rank = new RankDir(0, "m_r0".getBytes(StandardCharsets.UTF_8), Optional.empty());
    }

    private FolderCleaner cleaner(long ttlSeconds) {
        NativeDirectoryCalls calls = new NativeDirectoryCalls();
        return new FolderCleaner(
                calls, new VolumeRoot(calls, root, "", false), queue, counters, clocks, ttlSeconds, () -> true);
    }

    private void clean(FolderCleaner cleaner, int steps) {
        for (int i = 0; i < steps; i++) {
            cleaner.step();
        }
    }

    @Test
    void removesAnEmptyBranchBottomUpAndStopsAtTheRoot() throws Exception {
        Files.createDirectories(root.resolve("m_r0/abc/de_g0"));
        queue.offer(new FolderQueue.Folder(rank, "abc/de_g0"));
        clean(cleaner(0), 10);
        assertThat(root.resolve("m_r0")).doesNotExist();
        assertThat(root).exists();
        assertThat(counters.folders()).isEqualTo(3);
    }

    @Test
    void stopsAtAFolderWithContent() throws Exception {
        cache.file("m_r0/abc/ff_g0/0123456789abcdef.bin", Duration.ZERO);
        Files.createDirectories(root.resolve("m_r0/abc/de_g0"));
        queue.offer(new FolderQueue.Folder(rank, "abc/de_g0"));
        clean(cleaner(0), 10);
        assertThat(root.resolve("m_r0/abc/ff_g0")).exists();
        assertThat(root.resolve("m_r0/abc/de_g0")).doesNotExist();
        assertThat(counters.folders()).isEqualTo(1);
    }

    @Test
    void folderWithContentAndFolderThatIsGoneCostNothing() throws Exception {
        cache.file("m_r0/abc/ff_g0/0123456789abcdef.bin", Duration.ZERO);
        queue.offer(new FolderQueue.Folder(rank, "abc/ff_g0"));
        queue.offer(new FolderQueue.Folder(rank, "abc/00_g0"));
        clean(cleaner(0), 10);
        assertThat(counters.folders()).isZero();
    }

    @Test
    void waitsForTheTimeToLiveOnEachLevel() throws Exception {
        Files.createDirectories(root.resolve("m_r0/abc/de_g0"));
        queue.offer(new FolderQueue.Folder(rank, "abc/de_g0"));
        FolderCleaner cleaner = cleaner(120);
        clean(cleaner, 5);
        assertThat(root.resolve("m_r0/abc/de_g0")).exists();
        clocks.passTime(Duration.ofSeconds(121));
        clean(cleaner, 2);
        assertThat(root.resolve("m_r0/abc/de_g0")).doesNotExist();
    }

    @Test
    void aFolderIsQueuedOnceAndTheQueueIsBounded() {
        FolderQueue small = new FolderQueue(clocks, 2, 0);
        assertThat(small.offer(new FolderQueue.Folder(rank, "a"))).isTrue();
        assertThat(small.offer(new FolderQueue.Folder(rank, "a"))).isFalse();
        assertThat(small.offer(new FolderQueue.Folder(rank, "b"))).isTrue();
        assertThat(small.offer(new FolderQueue.Folder(rank, "c"))).isFalse();
    }

    @Test
    void g116_aWriterThatHasJustMadeItsFolderNeverLosesItWhileOldOnesGo() throws Exception {
        AtomicBoolean writing = new AtomicBoolean(true);
        FolderCleaner cleaner = cleaner(60);
        Thread cleaning = Thread.ofPlatform().start(() -> {
            while (writing.get() || queue.size() > 0) {
                cleaner.step();
                if (!writing.get() && counters.folders() >= ROUNDS / 100) {
                    return;
                }
            }
        });
        int lost = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String name = String.format(Locale.ROOT, "abc/%02x_g%d", round % 256, round);
            Path leaf = root.resolve("m_r0").resolve(name);
            Files.createDirectories(leaf);
            queue.offer(new FolderQueue.Folder(rank, name));
            lost += write(leaf) ? 0 : 1;
            if (round % 100 == 0) {
                Path old = Files.createDirectories(root.resolve("m_r0/abc/ff_g" + (ROUNDS + round)));
                Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(3_600)));
                queue.offer(new FolderQueue.Folder(rank, "abc/" + old.getFileName()));
            }
        }
        writing.set(false);
        cleaning.join();
        assertThat(lost).isZero();
        assertThat(counters.folders()).isEqualTo(ROUNDS / 100);
    }

    private static boolean write(Path leaf) throws IOException {
        try {
            Files.createFile(leaf.resolve("0123456789abcdef.bin"));
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }
}
