package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PassScheduleTest {
    private static final long PASS_SECONDS = 600;
    private static final Duration WALK = Duration.ofHours(1);

    private final TestClocks clocks = new TestClocks();

    private PassSchedule schedule(boolean rules) {
        PassSchedule schedule = new PassSchedule(PASS_SECONDS, rules, new Thresholds(85, 70, 95, 0), clocks);
        schedule.observe(new Usage(100L << 30, 1_000L << 30, 0, 0));
        return schedule;
    }

    @Test
    void aWalkThatWasNotWholeDoesNotKeepDeletionWaiting() {
        PassSchedule schedule = schedule(false);
        schedule.passEnded(WALK.toNanos(), false);
        clocks.passTime(WALK.dividedBy(4));
        assertThat(schedule.due(true, false)).as("nothing is ready").isTrue();
        assertThat(schedule.due(true, true)).as("there is something to delete").isFalse();
        assertThat(schedule.due(false, false)).as("nothing is to be deleted").isFalse();
        clocks.passTime(WALK.multipliedBy(4));
        assertThat(schedule.due(false, false)).isTrue();
    }

    @Test
    void deletionThatGoesOnForLongGetsAWalkThoughEnoughIsReady() {
        PassSchedule schedule = schedule(false);
        schedule.passEnded(Duration.ofSeconds(1).toNanos(), true);
        clocks.passTime(Duration.ofSeconds(PASS_SECONDS - 1));
        assertThat(schedule.due(true, true)).isFalse();
        clocks.passTime(Duration.ofSeconds(1));
        assertThat(schedule.due(true, true)).as("what refused may go by now").isTrue();
    }

    @Test
    void aVolumeAtRestIsWalkedEverySixHours() {
        PassSchedule schedule = schedule(false);
        schedule.passEnded(Duration.ofSeconds(1).toNanos(), true);
        clocks.passTime(Duration.ofSeconds(PASS_SECONDS));
        assertThat(schedule.due(false, false)).isFalse();
        clocks.passTime(Duration.ofHours(6));
        assertThat(schedule.due(false, false)).isTrue();
    }

    @Test
    void rulesOfModelsAreHeldByAWalkEveryPassSeconds() {
        PassSchedule schedule = schedule(true);
        schedule.passEnded(Duration.ofSeconds(1).toNanos(), true);
        clocks.passTime(Duration.ofSeconds(PASS_SECONDS - 1));
        assertThat(schedule.due(false, false)).isFalse();
        clocks.passTime(Duration.ofSeconds(1));
        assertThat(schedule.due(false, false)).isTrue();
    }

    @Test
    void aLongWalkRestsAsLongAsItTookThoughThereAreRules() {
        PassSchedule schedule = schedule(true);
        schedule.passEnded(WALK.toNanos(), true);
        clocks.passTime(Duration.ofSeconds(PASS_SECONDS));
        assertThat(schedule.due(false, false)).isFalse();
        clocks.passTime(WALK);
        assertThat(schedule.due(false, false)).isTrue();
    }
}
