package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.resp.SlowDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
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
}
