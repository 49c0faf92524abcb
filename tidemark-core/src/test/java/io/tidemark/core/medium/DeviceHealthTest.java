package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.DeviceHealth.Way;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DeviceHealthTest {
    private static final long MILLI = 1_000_000;

    private long now = 17;
    private final DeviceHealth health = new DeviceHealth("/ssd0", () -> now);

    private void fail(int times, int errno) {
        for (int i = 0; i < times; i++) {
            health.failed(Way.READ, new SysException("pread", errno, "3"));
        }
    }

    @Test
    void aFewFailuresAreForgiven() {
        fail(DeviceHealth.FAILURES_MAX - 1, Errno.EIO);
        assertThat(health.health()).isEqualTo(MediumHealth.HEALTHY);
        health.succeeded(Way.READ);
        fail(DeviceHealth.FAILURES_MAX - 1, Errno.EIO);
        assertThat(health.mayTry(Way.READ)).isTrue();
    }

    @Test
    void failuresInARowMakeItUnhealthyUntilOneCallSucceeds() {
        fail(DeviceHealth.FAILURES_MAX, Errno.EIO);
        assertThat(health.health().healthy()).isFalse();
        assertThat(health.health().why()).contains("pread").contains("EIO");
        assertThat(health.mayTry(Way.READ)).isFalse();
        now += DeviceHealth.RETRY_MILLIS * MILLI;
        assertThat(health.mayTry(Way.READ)).as("one try").isTrue();
        assertThat(health.mayTry(Way.READ)).as("and no second one").isFalse();
        health.succeeded(Way.READ);
        assertThat(health.health()).isEqualTo(MediumHealth.HEALTHY);
        assertThat(health.mayTry(Way.READ)).isTrue();
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
        assertThat(health.mayTry(Way.READ)).isFalse();
        health.end(hanging);
        assertThat(health.mayTry(Way.READ)).isTrue();
    }

    @Test
    void aClosedDeviceTakesNoCallAndWaitsForThoseThatRun() throws IOException {
        long running = health.begin();
        assertThat(health.close(1)).isFalse();
        assertThatThrownBy(health::begin).isInstanceOf(IOException.class).hasMessageContaining("closed");
        health.end(running);
        assertThat(health.close(1)).isTrue();
    }

    @Test
    void g89_readsGoOnWhereOnlyWritesFail() {
        for (int i = 0; i < DeviceHealth.FAILURES_MAX; i++) {
            health.succeeded(Way.READ);
            health.failed(Way.WRITE, new SysException("pwrite", Errno.EROFS, "slab"));
        }
        assertThat(health.health().why()).contains("EROFS in /ssd0: ", "read-only", "dmesg");
        assertThat(health.mayTry(Way.WRITE)).isFalse();
        assertThat(health.mayTry(Way.READ)).isTrue();
        assertThat(health.works(Way.READ)).isTrue();
        now += DeviceHealth.RETRY_MILLIS * MILLI;
        assertThat(health.mayTry(Way.WRITE)).isTrue();
        health.succeeded(Way.WRITE);
        assertThat(health.health()).isEqualTo(MediumHealth.HEALTHY);
    }

    @Test
    void whatIsServedReadOnlyIsNeverWritten() {
        health.serveReadOnly("mounted so");
        now += 10 * DeviceHealth.RETRY_MILLIS * MILLI;
        assertThat(health.mayTry(Way.WRITE)).isFalse();
        assertThat(health.mayTry(Way.READ)).isTrue();
        assertThat(health.health()).isEqualTo(MediumHealth.unhealthy("mounted so"));
    }
}
