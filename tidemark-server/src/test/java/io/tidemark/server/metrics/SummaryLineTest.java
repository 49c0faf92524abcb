package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.MediumKind;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.PoolStatus;
import io.tidemark.core.pool.Session;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryLineTest {
    private static final PoolStatus STATUS = new PoolStatus(
            List.of(new BackendStatus(
                    "dram", "dram0", MediumKind.DRAM, 1000, 250, 50, 700, 0, 0, 0, 0, 900, 700, 7, 7, "")),
            7,
            1,
            0,
            0,
            0,
            0,
            0);

    @Test
    void nothingMovedIsNothingSaid() {
        Totals totals = moved(5, 5, 5);

        assertThat(SummaryLine.line(totals, moved(5, 5, 5), STATUS)).isEmpty();
    }

    @Test
    void tellsTheGrowthByAnswerAndReason() {
        assertThat(SummaryLine.line(moved(5, 5, 5), moved(12, 9, 6), STATUS))
                .contains("puts 7 (stored 7) 7.0 KiB; hits 4 4.0 KiB, misses 1;"
                        + " left 8 (capacity 7, deleted 1) 0 B; blocks 7, fill dram0 75.0%");
    }

    @Test
    void whatThePoolBeganWithDidNotMove() throws Exception {
        Medium medium = DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", 1 << 20));
        try (Pool pool = Pool.open(PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(medium, 1))));
                Session session = pool.session("test")) {
            BlockKey key = BlockKey.of("missing".getBytes(StandardCharsets.US_ASCII));
            session.read(key);
            try (SummaryLine summary = SummaryLine.every(0, pool)) {
                assertThat(summary.next()).isEmpty();
                session.read(key);
                assertThat(summary.next().orElseThrow()).contains("misses 1");
            }
        }
    }

    private static Totals moved(long puts, long hits, long others) {
        Totals totals = new Totals();
        totals.counter("tidemark_puts_total", "", puts, "answer", "stored");
        totals.counter("tidemark_puts_total", "", 3, "answer", "exists");
        totals.counter("tidemark_stored_bytes_total", "", puts * 1024, "tier", "dram");
        totals.counter("tidemark_hits_total", "", hits, "tier", "dram", "backend", "dram0");
        totals.counter("tidemark_hit_bytes_total", "", hits * 1024, "tier", "dram");
        totals.counter("tidemark_misses_total", "", others);
        totals.counter("tidemark_left_copies_total", "", puts, "tier", "dram", "reason", "capacity");
        totals.counter("tidemark_left_copies_total", "", others, "tier", "dram", "reason", "deleted");
        return totals;
    }
}
