package io.tidemark.server.resp.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobsTest {
    private final Jobs jobs = new Jobs(List.of("ssd0", "ssd1"), 2);
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void stop() throws Exception {
        release.countDown();
        jobs.close();
        assertThat(jobs.awaitEnd(5_000)).isTrue();
    }

    @Test
    void whatFillsALaneHoldsUpNoOther() throws Exception {
        for (int i = 0; i < 6; i++) {
            jobs.forDevices(List.of("ssd0")).execute(this::hang);
        }
        await().until(() -> jobs.running() == 4 && jobs.waiting() == 2);
        assertThatThrownBy(() -> jobs.forDevices(List.of("ssd0")).execute(this::hang))
                .isInstanceOf(RejectedExecutionException.class);
        CountDownLatch others = new CountDownLatch(3);
        jobs.forDevices(List.of("ssd1")).execute(others::countDown);
        jobs.forDevices(List.of("ssd0", "ssd1")).execute(others::countDown);
        jobs.forWhole().execute(others::countDown);
        assertThat(others.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aDeviceThatIsNotKnownIsRefused() {
        assertThatThrownBy(() -> jobs.forDevices(List.of("ssd7")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ssd7")
                .hasMessageContaining("ssd0");
    }

    private void hang() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
