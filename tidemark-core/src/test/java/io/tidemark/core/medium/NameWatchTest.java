package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a medium that lose their names while it runs: seen within seconds, served on, and nothing new is stored. */
class NameWatchTest {
    private static final Duration SECONDS = Duration.ofSeconds(10);
    /** Calls of one look at seven files. */
    private static final int A_LOOK = 14;

    @TempDir
    Path folder;

    private Path dir;
    private SsdHarness harness;

    @BeforeEach
    void open() throws IOException {
        dir = folder.resolve("ssd");
        harness = new SsdHarness(dir);
        assertThat(harness.put("a", 70_000)).isTrue();
        assertThat(harness.put("b", 70_000)).isTrue();
    }

    @AfterEach
    void close() {
        harness.ssd.close();
    }

    private void awaitLost(String file) throws IOException {
        await().atMost(SECONDS).until(() -> !harness.ssd.health().healthy());
        assertThat(harness.ssd.health().why()).contains(dir.resolve(file) + " is no longer the file");
        assertServedOnly("no longer the file");
    }

    private void assertServedOnly(String why) throws IOException {
        assertThat(harness.ssd.readable()).isTrue();
        for (SsdHarness.Stored block : harness.stored.values()) {
            assertThat(harness.holds(block)).as("served").isTrue();
        }
        assertThat(harness.ssd.allocate(70_000)).isInstanceOf(Allocation.Unavailable.class);
        assertThatThrownBy(() -> harness.delete("a"))
                .as("what is deleted may be back, if something else lies there at the next start")
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EACCES, Errno.ELOOP, Errno.ESTALE, Errno.ENOTDIR})
    void aNameThatLeadsNowhereIsSeenAndSoIsItsReturn(int errno) throws IOException {
        harness.sys.inject(call -> call.is("statx", "journal-1"), new FaultySys.Fail(errno));
        await().atMost(SECONDS).until(() -> !harness.ssd.health().healthy());
        assertThat(harness.ssd.health().why()).contains(dir.resolve("journal-1") + " ");
        assertServedOnly("no longer");
        harness.sys.heal();
        await().atMost(SECONDS).until(() -> harness.ssd.health().healthy());
        assertThat(harness.put("c", 70_000)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"slab", "journal-0", "journal-1", "checkpoint-0", "checkpoint-1", "lock", "identity"})
    void aFileThatIsDeletedIsSeen(String file) throws IOException {
        Files.delete(dir.resolve(file));
        awaitLost(file);
    }

    @Test
    void aFileThatIsReplacedIsSeen() throws IOException {
        Files.copy(dir.resolve("slab"), dir.resolve("copy"));
        Files.move(dir.resolve("copy"), dir.resolve("slab"), StandardCopyOption.REPLACE_EXISTING);
        awaitLost("slab");
    }

    @Test
    void aDirectoryThatIsMovedAwayIsSeenAndSoIsItsReturn() throws IOException {
        Files.move(dir, folder.resolve("elsewhere"));
        awaitLost("slab");
        Files.move(folder.resolve("elsewhere"), dir);
        await().atMost(SECONDS).until(() -> harness.ssd.health().healthy());
        assertThat(harness.put("c", 70_000)).isTrue();
        harness.delete("b");
        harness.reopen();
        assertThat(harness.readRecovered()).containsOnlyKeys("c");
    }

    @Test
    void anEndThatIsInAFileWithoutANameIsNotWrittenUntilTheNameIsBack() throws IOException {
        Files.move(dir, folder.resolve("elsewhere"));
        await().atMost(SECONDS).until(() -> !harness.ssd.health().healthy());
        assertThat(harness.ssd.endsWritten(Medium.NO_END))
                .as("of a key that never was there")
                .isTrue();
        long writes = harness.sys.count("pwrite");
        long copy = harness.copyOf("a");
        harness.ssd.copies().doom(copy);
        long mark = harness.ssd.noteEnd(copy);
        await().atMost(SECONDS).until(() -> harness.sys.count("pwrite") > writes);
        for (int later = 0; later < 2; later++) {
            assertThat(harness.ssd.endsWritten(mark)).isFalse();
            assertThatThrownBy(() -> harness.ssd.awaitEnds(mark, 1_000)).isInstanceOf(UnavailableException.class);
        }
        Files.move(folder.resolve("elsewhere"), dir);
        await().atMost(SECONDS).until(() -> harness.ssd.health().healthy());
        harness.ssd.awaitEnds(mark, 5_000);
        assertThat(harness.ssd.endsWritten(mark)).isTrue();
    }

    private long endOf(String key) {
        long copy = harness.copyOf(key);
        harness.ssd.copies().doom(copy);
        return harness.ssd.noteEnd(copy);
    }

    /** Who moves the files back brings it back with them. */
    @Test
    void anEndThatWasThereBeforeTheNameWasLostStaysWritten() throws IOException {
        long before = endOf("a");
        harness.ssd.awaitEnds(before, 5_000);
        long looks = harness.sys.count("statx");
        await().atMost(SECONDS).until(() -> harness.sys.count("statx") > looks + 2 * A_LOOK);
        Files.move(dir, folder.resolve("elsewhere"));
        await().atMost(SECONDS).until(() -> !harness.ssd.health().healthy());
        assertThat(harness.ssd.endsWritten(before)).isTrue();
        long since = endOf("b");
        assertThat(harness.ssd.endsWritten(since)).isFalse();
        assertThat(harness.ssd.endsWritten(before)).isTrue();
    }

    @Test
    void aFileSystemThatIsMountedOverItIsSeen() throws IOException {
        try (LoopMount mount = LoopMount.orSkip(folder, 16L << 20)) {
            harness.ssd.close();
            dir = mount.dir();
            Files.createDirectory(dir);
            harness = new SsdHarness(dir);
            assertThat(harness.put("a", 70_000)).isTrue();
            mount.cover();
            awaitLost("slab");
            mount.uncover();
            await().atMost(SECONDS).until(() -> harness.ssd.health().healthy());
            harness.ssd.close();
        }
    }

    @Test
    void aNameThatCannotBeLookedAtHoldsUpNobody() throws IOException {
        CountDownLatch until = new CountDownLatch(1);
        CountDownLatch hangs = new CountDownLatch(1);
        harness.sys.inject(
                call -> {
                    boolean look = call.is("statx", "slab");
                    if (look) {
                        hangs.countDown();
                    }
                    return look;
                },
                new FaultySys.Hang(until));
        await().atMost(SECONDS).until(() -> hangs.getCount() == 0);
        assertThat(harness.put("c", 70_000)).isTrue();
        harness.delete("b");
        assertThat(harness.ssd.health()).isEqualTo(MediumHealth.HEALTHY);
        long began = System.nanoTime();
        harness.ssd.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
        until.countDown();
    }

    @Test
    void aNameThatFailsToBeLookedAtSaysNothing() throws Exception {
        harness.sys.inject(call -> call.is("statx", "slab"), new FaultySys.Fail(Errno.EIO));
        long looks = harness.sys.count("statx");
        await().atMost(SECONDS).until(() -> harness.sys.count("statx") > looks + 2);
        assertThat(harness.ssd.health()).isEqualTo(MediumHealth.HEALTHY);
    }

    @Test
    void looksThatFailOrHangAreToldByAnother() {
        AtomicLong nanos = new AtomicLong();
        FaultySys sys = new FaultySys(NativeSys.INSTANCE);
        CountDownLatch until = new CountDownLatch(1);
        NameWatch.NamedFile here = new NameWatch.NamedFile(Sys.AT_FDCWD, dir.toString());
        try (NameWatch watch = new NameWatch(
                "ssd0", sys, List.of(here), new DeviceHealth("/ssd0", System::nanoTime), () -> 0, nanos::get)) {
            sys.inject(call -> call.is("statx"), new FaultySys.Fail(Errno.EIO), 2);
            sys.inject(call -> call.is("statx"), new FaultySys.Hang(until));
            watch.start();
            assertThat(watch.tellIfBlind()).isFalse();
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
            await().atMost(SECONDS).until(() -> sys.count("statx") > 2);
            assertThat(watch.tellIfBlind()).isTrue();
            sys.heal();
            until.countDown();
            await().atMost(SECONDS).until(() -> !watch.tellIfBlind());
        }
    }
}
