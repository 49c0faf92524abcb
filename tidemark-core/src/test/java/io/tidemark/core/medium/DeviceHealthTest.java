package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class DeviceHealthTest {
    private static final long MILLI = 1_000_000;

    private long now = 17;
    private final DeviceHealth health = new DeviceHealth(() -> now);

    private void fail(int times, int errno) {
        for (int i = 0; i < times; i++) {
            health.failed(new SysException("pread", errno, "3"));
        }
    }

    @Test
    void aFewFailuresAreForgiven() {
        fail(DeviceHealth.FAILURES_MAX - 1, Errno.EIO);
        assertThat(health.health()).isEqualTo(MediumHealth.HEALTHY);
        health.succeeded();
        fail(DeviceHealth.FAILURES_MAX - 1, Errno.EIO);
        assertThat(health.mayTry()).isTrue();
    }

    @Test
    void failuresInARowMakeItUnhealthyUntilOneCallSucceeds() {
        fail(DeviceHealth.FAILURES_MAX, Errno.EIO);
        assertThat(health.health().healthy()).isFalse();
        assertThat(health.health().why()).contains("pread").contains("EIO");
        assertThat(health.mayTry()).isFalse();
        now += DeviceHealth.RETRY_MILLIS * MILLI;
        assertThat(health.mayTry()).as("one try").isTrue();
        assertThat(health.mayTry()).as("and no second one").isFalse();
        health.succeeded();
        assertThat(health.health()).isEqualTo(MediumHealth.HEALTHY);
        assertThat(health.mayTry()).isTrue();
    }

    @Test
    void aFullDeviceIsNotABrokenOne() {
        fail(10, Errno.ENOSPC);
        assertThat(health.health()).isEqualTo(MediumHealth.HEALTHY);
    }

    @Test
    void g68_aCallThatHangsMakesItUnhealthyUntilItIsBack() throws IOException {
        long hanging = health.begin();
        long other = health.begin();
        health.end(other);
        now += DeviceHealth.HANG_MILLIS * MILLI + 1;
        assertThat(health.health().healthy()).isFalse();
        assertThat(health.mayTry()).isFalse();
        health.end(hanging);
        assertThat(health.mayTry()).isTrue();
    }

    @Test
    void aClosedDeviceTakesNoCallAndWaitsForThoseThatRun() throws IOException {
        long running = health.begin();
        assertThat(health.close(1)).isFalse();
        assertThatThrownBy(health::begin).isInstanceOf(IOException.class).hasMessageContaining("closed");
        health.end(running);
        assertThat(health.close(1)).isTrue();
    }
}
