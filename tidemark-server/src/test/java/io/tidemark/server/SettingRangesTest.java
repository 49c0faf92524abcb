package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.SsdOptions;
import io.tidemark.core.pool.DeviceReads;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Promotion;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.config.TierPlan;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the check of the configuration lets through at either end of a range, the parts of the server take. */
class SettingRangesTest {
    @ParameterizedTest
    @CsvSource({
        "dram.capacity, 1Mi",
        "dram.page, 4Ki",
        "dram.page, 64Mi",
        "dram.high-mark, 1",
        "dram.low-mark, 0.000001",
        "pool.max-value, 1",
        "pool.max-value, 512Mi",
        "pool.full-wait, 1ms",
        "pool.full-wait, 12h",
        "pool.full-waiters, 0",
        "pool.full-waiters, 1000000",
        "pool.lease, 0ms",
        "pool.lease, 24h",
        "pool.lease-share, 0.000001",
        "pool.lease-share, 1",
        "pool.pin-share, 0.000001",
        "pool.pin-share, 1",
        "pool.stalled, 1ms",
        "pool.stalled, 24h",
        "pool.put-limit, 30s",
        "pool.put-limit, 24h",
        "pool.demotion-retry, 0ms",
        "pool.demotion-retry, 24h",
        "ssd.capacity, 64Mi",
        "ssd.promote-hits, 1",
        "ssd.promote-hits, 1000",
        "ssd.page, 4Ki",
        "ssd.page, 64Ki",
        "ssd.high-mark, 1",
        "ssd.low-mark, 0.000001",
        "ssd.read-memory, 64Mi",
        "ssd.read-memory, 1Ti",
        "ssd.read-threads, 1",
        "ssd.read-threads, 256",
        "pool.move-workers, 1",
        "pool.move-workers, 64",
        "pool.move-bytes, 1Mi",
        "pool.move-bytes, 1Ti",
        "pool.index-memory, 1Mi",
        "pool.index-memory, 1Ti",
        "redis.max-connections, 1",
        "redis.max-connections, 1000000"
    })
    void everyEndOfARangeIsTakenByTheServer(String key, String text) throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(key, text));
        if (key.startsWith("ssd.")) {
            settings.putIfAbsent("ssd.capacity", "1Gi");
        }
        if (key.equals("pool.full-wait")) {
            settings.put("pool.stalled", "24h");
        }
        build(settings);
    }

    @ParameterizedTest
    @CsvSource({"4Ki, 4398046507008", "64Mi, 64Ti"})
    void theLargestMemoryOfAPageIsTakenByTheMedium(String page, String capacity) throws Exception {
        build(Map.of("dram.page", page, "dram.capacity", capacity));
    }

    private static long taken(TierPlan.Backend backend, long maxValue) {
        return switch (backend) {
            case TierPlan.Dram(String name, long bytes, int page) ->
                new DramOptions(name, bytes, page, maxValue, true).capacityBytes();
            case TierPlan.Ssd(String name, Path directory, long bytes, int page) ->
                new SsdOptions(name, directory, bytes, page, maxValue, false).capacityBytes();
        };
    }

    private static void build(Map<String, String> settings) throws Exception {
        Map<String, Given> flags = new HashMap<>();
        settings.forEach((key, text) -> flags.put(key, new Given(text, new Origin.Flag("--" + key))));
        TidemarkConfig config =
                Effective.resolve(Optional.empty(), Map.of(), flags).config();
        long maxValue = config.limits().maxValueBytes();
        for (TierPlan.Tier tier : config.tiers().tiers()) {
            assertThat(new Marks(tier.highMark(), tier.lowMark()).low()).isEqualTo(tier.lowMark());
            tier.promotion()
                    .ifPresent(rule -> assertThat(new Promotion(rule.hits(), rule.move()).hits())
                            .isEqualTo(rule.hits()));
        }
        config.tiers()
                .backends()
                .forEach(backend -> assertThat(taken(backend, maxValue)).isEqualTo(backend.capacityBytes()));
        assertThat(PoolWiring.limits(config.limits()).maxBlockBytes()).isEqualTo(maxValue);
        TidemarkConfig.Reads reads = config.limits().reads();
        assertThat(new DeviceReads(1, reads.threads(), reads.bytes()).stagedBytes())
                .isGreaterThanOrEqualTo(maxValue);
        assertThat(RespWiring.limits(config.redis(), config.limits()).maxValueBytes())
                .isEqualTo(maxValue);
    }
}
