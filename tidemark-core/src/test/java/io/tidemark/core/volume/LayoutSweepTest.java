package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes of other layouts: those of other systems swept by two sweepers that share them, with rules for models. */
class LayoutSweepTest {
    private static final int BATCH = 10;

    @TempDir
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private final TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);

    /** How each of them writes a block. */
    enum Writer {
        SGLANG {
            @Override
            Layout layout() {
                return new SglangLayout();
            }

            @Override
            String path(String model, long number) {
                return key(64, number) + "_" + model + "_0_1.bin";
            }
        },
        SHFS {
            @Override
            Layout layout() {
                return new ShfsLayout();
            }

            @Override
            String path(String model, long number) {
                String key = key(32, number);
                return model + "/" + key.substring(0, 2) + "/" + key.substring(2, 4) + "/" + key;
            }
        };

        abstract Layout layout();

        abstract String path(String model, long number);

        /** The second digit names the shard; neighbours in age take turns over all of them, so that each has as many of an age. */
        private static String key(int digits, long number) {
            String tail = Long.toHexString(number * 0x9E3779B97F4A7C15L | 1L << 63);
            String head = String.format(Locale.ROOT, "%x%x%02x", number / 16 % 16, number * 9 % 16, number * 37 % 256);
            return head + "0".repeat(digits - 20) + tail;
        }
    }

    private void usedFiles(long files) {
        calls.usedBytes.set(files * CacheFiles.FILE_BYTES);
    }

    private List<Path> blocks(Writer writer, String model, int count, int youngestHours) throws IOException {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        List<Path> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long number = i + 1_000L * model.hashCode();
            blocks.add(cache.file(writer.path(model, Math.abs(number)), Duration.ofHours(youngestHours + i)));
        }
        return blocks;
    }

    private static long left(List<Path> blocks) {
        return blocks.stream().filter(Files::exists).count();
    }

    @ParameterizedTest
    @EnumSource
    void twoSweepersKeepRulesAndTargetAndWhoHasNothingIsWell(Writer writer) throws Exception {
        usedFiles(100);
        List<Path> expiring = blocks(writer, "short-lived", 100, 1);
        List<Path> limited = blocks(writer, "big_model", 100, 1);
        List<Path> others = blocks(writer, "plain-7", 300, 200);
        UnaryOperator<RunningSweeper.Settings> settings = one -> {
            one.layout = writer.layout();
            one.adopted = true;
            one.leases = true;
            one.batch = BATCH;
            // as by default: less than the steps of the clock would be quiet at once
            one.intervalMillis = 500;
            one.passSeconds = 1;
            one.ttlSeconds = Map.of("short-lived", Duration.ofHours(50).toSeconds());
            one.quotaBytes = Map.of("big_model", 40L * CacheFiles.FILE_BYTES);
            return one;
        };
        try (RunningSweeper one = new RunningSweeper(RunningSweeper.config(mount, settings), calls, clocks);
                RunningSweeper two = new RunningSweeper(RunningSweeper.config(mount, settings), calls, clocks)) {
            awaitPassing(
                    () -> one.sweeper.status().shards() + two.sweeper.status().shards() == 16
                            && (writer == Writer.SGLANG || two.sweeper.status().shards() > 0));
            awaitPassing(() -> left(expiring) <= 50 && left(limited) <= 41);
            usedFiles(900);
            awaitPassing(() -> calls.usedBytes.get() <= 700L * CacheFiles.FILE_BYTES);
            awaitPassing(() -> true);
            for (RunningSweeper each : List.of(one, two)) {
                assertThat(each.sweeper.status().problem()).isEmpty();
                assertThat(each.sweeper.unready()).isEmpty();
                assertThat(each.listener.warnings).noneMatch(text -> text.contains("nothing may go"));
            }
        }
        assertThat(expiring.subList(0, 48)).allMatch(Files::exists);
        assertThat(left(limited)).as("the quota, not a part of it").isGreaterThanOrEqualTo(37);
        assertThat(calls.usedBytes.get() / CacheFiles.FILE_BYTES).isBetween(700L - 2 * BATCH, 700L);
        assertThat(others.subList(0, 100 - 2 * BATCH)).allMatch(Files::exists);
    }

    @Test
    void namesThatAreNoTextGoInTheLooseLayout() throws Exception {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        String bucket = "m_0123456789ab_r0/abc/";
        Files.createDirectories(cache.root.resolve(bucket + "de_g0"));
        for (int i = 0; i < 250; i++) {
            cache.file(bucket + "plain dir/" + i + "\nx.bin", Duration.ofDays(5));
        }
        usedFiles(900);
        UnaryOperator<RunningSweeper.Settings> loose = settings -> {
            settings.layout = new LooseFsLayout(3);
            return settings;
        };
        try (RunningSweeper running = new RunningSweeper(RunningSweeper.config(mount, loose), calls, clocks)) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(cache.blocks()).hasSize(50);
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    /** Waits while the clock goes five times as fast as the one on the wall, a second at least. */
    private void awaitPassing(Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        boolean holds = false;
        for (int i = 0; i < 5 || !holds; i++) {
            assertThat(System.nanoTime() - end).as("waited 60 s").isNegative();
            TimeUnit.MILLISECONDS.sleep(200);
            clocks.passTime(Duration.ofSeconds(1));
            holds = condition.holds();
        }
    }
}
