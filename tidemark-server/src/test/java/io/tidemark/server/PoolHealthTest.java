package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MediumKind;
import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.ThreadHealth;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolHealthTest {
    private static final ThreadHealth MARKS = new ThreadHealth("tidemark-marks", true, 0, 100);

    @Test
    void turningThreadsAndSoundDevicesAreWell() {
        PoolHealth health = new PoolHealth(List.of(MARKS), List.of(ssd("")));

        assertThat(health.sickness()).isEmpty();
        assertThat(health.losses()).isEmpty();
    }

    @Test
    void aThreadThatEndedOrHangsIsASickness() {
        assertThat(new PoolHealth(List.of(MARKS, new ThreadHealth("tidemark-move-2", false, 1, 0)), List.of())
                        .sickness())
                .contains("tidemark-move-2 has ended");
        assertThat(new PoolHealth(List.of(new ThreadHealth("tidemark-time", true, 7, 31_000)), List.of()).sickness())
                .contains("tidemark-time has ended no turn for 31 s (7 failures)");
    }

    @Test
    void aMoveThatWaitsForItsDeviceAndAFailedDeviceAreLossesOnly() {
        PoolHealth health = new PoolHealth(
                List.of(MARKS, new ThreadHealth("tidemark-move-2", true, 0, 31_000)), List.of(ssd("pread: EIO")));

        assertThat(health.sickness()).isEmpty();
        assertThat(health.losses())
                .containsExactly(
                        "ssd0 is out of use: pread: EIO", "tidemark-move-2 has ended no turn for 31 s (0 failures)");
    }

    private static BackendStatus ssd(String illness) {
        return new BackendStatus("ssd", "ssd0", MediumKind.SSD, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, illness);
    }
}
