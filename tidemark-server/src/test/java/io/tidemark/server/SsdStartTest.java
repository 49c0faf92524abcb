package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdIdentity;
import io.tidemark.core.medium.SsdOwner;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.resp.SlowDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SsdStartTest {
    @TempDir
    private Path folder;

    private TidemarkConfig config() throws Exception {
        Given ssd = new Given("64Mi", new Origin.Flag("--ssd"));
        Given state =
                new Given(Files.createDirectories(folder.resolve("state")).toString(), new Origin.Flag("--state-dir"));
        return Effective.resolve(Optional.empty(), Map.of(), Map.of("ssd.capacity", ssd, "state-dir", state))
                .config();
    }

    private void start(SlowDevice device, BooleanSupplier cancelled) throws Exception {
        try (SsdStart start = SsdStart.begin(device.sys(), config())) {
            start.await(config(), cancelled);
        }
    }

    @Test
    @Timeout(5)
    void g125_beingToldToStopEndsTheWaitForADeviceThatHangs() throws Exception {
        SlowDevice device = new SlowDevice();
        AtomicInteger asked = new AtomicInteger();
        device.hang("fallocate");
        try {
            assertThatThrownBy(() -> start(device, () -> asked.incrementAndGet() > 2))
                    .isInstanceOf(StartException.class)
                    .hasMessage("told to stop while starting");
        } finally {
            device.release();
            awaitOpenings();
        }
    }

    /** What was given up goes on in its directory until the device answers. */
    private static void awaitOpenings() {
        Awaitility.await()
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("tidemark-open-")));
    }

    @Test
    @Timeout(5)
    void anInterruptEndsTheWaitAsBeingToldToStopDoes() throws Exception {
        SlowDevice device = new SlowDevice();
        device.hang("fallocate");
        try {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> start(device, () -> false))
                    .isInstanceOf(StartException.class)
                    .hasMessage("told to stop while starting");
            assertThat(Thread.interrupted()).as("still set for the caller").isTrue();
        } finally {
            device.release();
            awaitOpenings();
        }
    }

    @Test
    void whatIsInUseHasToBeWrittenDownBeforeAnybodyIsServed() throws Exception {
        TidemarkConfig config = config();
        Path inTheWay = folder.resolve("state").resolve(UsedDirectories.FILE + ReplacedFile.TEMPORARY);
        Files.createDirectories(inTheWay.resolve("not-empty"));
        try (SsdStart start = SsdStart.begin(NativeSys.INSTANCE, config)) {
            start.await(config, () -> false);
            assertThatThrownBy(() -> start.awaitWritten(config, () -> false))
                    .isInstanceOf(StartException.class)
                    .hasMessageStartingWith("cannot use state directory " + folder.resolve("state"));
        }
    }

    @Test
    @Timeout(20)
    void aStartThatIsRefusedAThreadEndsWithTheErrorAndCanBeClosed() throws Exception {
        TidemarkConfig config = config();
        OutOfMemoryError refused = new OutOfMemoryError("unable to create native thread");
        try (SsdStart start = SsdStart.begin(NativeSys.INSTANCE, config, _ -> {
            throw refused;
        })) {
            assertThatThrownBy(() -> start.await(config, () -> false)).isSameAs(refused);
        }
    }

    /** The task that is held stands for one that hangs in the state directory, and comes back after the close. */
    @Test
    @Timeout(20)
    void aStateDirectoryThatHangsHoldsNeitherAStopNorACloseAndNothingIsClaimedBehindIt() throws Exception {
        TidemarkConfig config = config();
        start(new SlowDevice(), () -> false);
        Files.delete(
                folder.resolve("state").resolve(UsedDirectories.FILE)); // so that the next one claims the directory
        Path identity = config.tiers().ssd().toList().getFirst().directory().resolve("identity");
        byte[] before = Files.readAllBytes(identity);
        List<Runnable> held = new ArrayList<>();
        try (SsdStart start = SsdStart.begin(NativeSys.INSTANCE, config, held::add)) {
            start.await(config, () -> false);
            AtomicInteger asked = new AtomicInteger();
            assertThatThrownBy(() -> start.awaitWritten(config, () -> asked.incrementAndGet() > 2))
                    .isInstanceOf(StartException.class)
                    .hasMessage("told to stop while starting");
        }
        assertThat(held).hasSize(1);
        held.getFirst().run();
        assertThat(Files.readAllBytes(identity)).isEqualTo(before);

        Files.delete(folder.resolve("state").resolve(UsedDirectories.FILE));
        start(new SlowDevice(), () -> false);
        assertThat(Files.readAllBytes(identity)).as("claimed without a close").isNotEqualTo(before);
    }

    @Test
    void aDirectoryThatIsLeftOutIsTakenOffTheListBeforeAnythingIsDropped() throws Exception {
        TidemarkConfig config = config();
        Path list = folder.resolve("state").resolve(UsedDirectories.FILE);
        UsedDirectories before = UsedDirectories.read(NativeSys.INSTANCE, folder.resolve("state"));
        SsdIdentity away = new SsdIdentity(UUID.randomUUID(), before.state());
        before.use(Map.of(Path.of("/away"), away));
        before.write();
        try (SsdStart start = SsdStart.begin(NativeSys.INSTANCE, config)) {
            start.await(config, () -> false);
            assertThat(Files.readString(list))
                    .contains(folder.resolve("state").toString())
                    .doesNotContain("/away");
        }
        assertThat(UsedDirectories.read(NativeSys.INSTANCE, folder.resolve("state"))
                        .judge(away))
                .isEqualTo(SsdOwner.Claim.EMPTY);
    }
}
