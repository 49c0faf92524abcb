package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.volume.CrawlerStats;
import io.tidemark.core.volume.RecencySource;
import io.tidemark.core.volume.Thresholds;
import io.tidemark.core.volume.Usage;
import io.tidemark.core.volume.VolumeStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StatusRhythmTest {
    private static final long STEP = TimeUnit.SECONDS.toNanos(30);

    private static VolumeStatus status(long used, boolean deleting, long removed, long statErrors, String problem) {
        return new VolumeStatus(
                Optional.of(new Usage(used, 10_000, 0, 0)),
                deleting,
                new Thresholds(85, 70, 95, 3600),
                List.of(new CrawlerStats.Reading(used, 60, 2, 30, statErrors)),
                (int) used,
                removed,
                0,
                0,
                used,
                RecencySource.ATIME_RELATIME,
                16,
                problem);
    }

    private static final VolumeStatus QUIET = status(7_000, false, 0, 0, "");

    @Test
    void byDefaultEachIsWritten() {
        StatusRhythm rhythm = new StatusRhythm("always");
        assertThat(List.of(rhythm.isToBeWritten(QUIET, 0), rhythm.isToBeWritten(QUIET, STEP)))
                .containsExactly(true, true);
    }

    @Test
    void withChangesWalksAndALittleMoreInUseAreNothingToTellOf() {
        StatusRhythm rhythm = new StatusRhythm("changes");
        assertThat(rhythm.isToBeWritten(QUIET, 0)).isTrue();
        assertThat(rhythm.isToBeWritten(status(7_060, false, 0, 0, ""), STEP)).isFalse();
        assertThat(rhythm.isToBeWritten(status(7_099, false, 0, 0, ""), 2 * STEP))
                .isFalse();
        assertThat(rhythm.isToBeWritten(status(7_100, false, 0, 0, ""), 3 * STEP))
                .as("a percent since the last that was written")
                .isTrue();
        assertThat(rhythm.isToBeWritten(QUIET, 4 * STEP)).isTrue();
    }

    @Test
    void withChangesDeletionRemovalsErrorsAndProblemsAreWrittenOnce() {
        StatusRhythm rhythm = new StatusRhythm("changes");
        rhythm.isToBeWritten(QUIET, 0);
        for (VolumeStatus news : List.of(
                status(7_000, true, 0, 0, ""),
                status(7_000, true, 5, 0, ""),
                status(7_000, true, 5, 1, ""),
                status(7_000, true, 5, 1, "the volume does not answer"))) {
            assertThat(rhythm.isToBeWritten(news, STEP)).as("%s", news).isTrue();
            assertThat(rhythm.isToBeWritten(news, STEP)).as("%s", news).isFalse();
        }
    }

    @Test
    void withChangesOneAnHourIsWrittenAllTheSame() {
        StatusRhythm rhythm = new StatusRhythm("changes");
        long hour = TimeUnit.HOURS.toNanos(1);
        assertThat(rhythm.isToBeWritten(QUIET, -hour)).isTrue();
        assertThat(rhythm.isToBeWritten(QUIET, -1)).isFalse();
        assertThat(rhythm.isToBeWritten(QUIET, 0)).isTrue();
        assertThat(rhythm.isToBeWritten(QUIET, 1)).isFalse();
    }
}
