package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MemoryDir;
import io.tidemark.core.pool.CounterVisitor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A volume that hangs: no look at it comes back, and none fails. */
@Timeout(60)
class MissingLookTest {
    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private final CountDownLatch until = new CountDownLatch(1);
    private final CountDownLatch hanging = new CountDownLatch(1);

    private int hang(TwinCalls.Call call) {
        boolean interrupted = false;
        while (call == TwinCalls.Call.SPACE && until.getCount() > 0) {
            hanging.countDown();
            try {
                until.await();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    private static Map<String, Double> gauges(VolumeSweeper sweeper) {
        Map<String, Double> gauges = new HashMap<>();
        sweeper.counters(new CounterVisitor() {
            @Override
            public void counter(String name, String help, long value, String... labels) {}

            @Override
            public void gauge(String name, String help, double value, String... labels) {
                gauges.put(name.replace("tidemark_volume_", ""), value);
            }
        });
        return gauges;
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void whatTheLastLookSaidIsShownForTenSecondsOnly() throws Exception {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        cache.block("m_0123456789ab_r0", 1, Duration.ofHours(1));
        TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
        calls.usedBytes.set(900L * CacheFiles.FILE_BYTES);
        try (RunningSweeper running = new RunningSweeper(
                RunningSweeper.config(mount, settings -> {
                    settings.thresholds = new Thresholds(85, 70, 95, 86_400);
                    return settings;
                }),
                calls,
                clocks)) {
            await(() -> running.sweeper.status().deleting()
                    && gauges(running.sweeper).containsKey("cutoff_age_seconds"));
            assertThat(gauges(running.sweeper)).containsEntry("answers", 1.0).containsEntry("used_ratio", 0.9);
            calls.fault = (call, name) -> hang(call);
            try {
                hanging.await();
                clocks.passTime(Duration.ofSeconds(11));
                assertThat(gauges(running.sweeper))
                        .containsEntry("answers", 0.0)
                        .containsEntry("deleting", 0.0)
                        .containsEntry("problem", 1.0)
                        .doesNotContainKeys("used_ratio", "used_bytes", "cutoff_age_seconds");
                assertThat(running.sweeper.status().usage()).isEmpty();
                assertThat(running.sweeper.unready()).startsWith("no look at the volume for 1");
                assertThat(running.sweeper.status().problem()).startsWith("no look at the volume for 1");
            } finally {
                until.countDown();
            }
            await(() -> gauges(running.sweeper).getOrDefault("answers", 0.0) == 1);
            assertThat(running.sweeper.status().deleting()).isTrue();
        }
    }
}
