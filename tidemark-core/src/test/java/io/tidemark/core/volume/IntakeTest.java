package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IntakeTest {
    private static final long NOW = 1_000;

    private final Intake intake = new Intake();

    @Test
    void nothingIsWithoutGapsBeforeTheFirstWalkHasEnded() {
        assertThat(intake.admits(Long.MAX_VALUE)).isTrue();
        intake.walkBegins(NOW);
        assertThat(intake.gaplessSeconds()).isEqualTo(Long.MIN_VALUE);
        intake.walkEnds(true);
        assertThat(intake.gaplessSeconds())
                .as("what has come since may be missing")
                .isEqualTo(NOW);
    }

    @Test
    void theStrictestMomentOfAWalkCounts() {
        intake.until(500);
        intake.walkBegins(NOW);
        intake.until(300);
        intake.until(400);
        assertThat(intake.admits(400)).isTrue();
        assertThat(intake.admits(401)).isFalse();
        intake.walkEnds(true);
        assertThat(intake.gaplessSeconds()).isEqualTo(300);
    }

    @Test
    void whatTheWalkBeforeTookCountsUntilTheNextOneHasEnded() {
        intake.until(300);
        intake.walkBegins(NOW);
        intake.walkEnds(true);
        intake.until(200);
        intake.walkBegins(NOW);
        assertThat(intake.gaplessSeconds()).isEqualTo(300);
        intake.walkEnds(true);
        assertThat(intake.gaplessSeconds()).isEqualTo(200);
    }

    @Test
    void whatThereWasNoRoomForIsAGapAtOnceAndAfterTheWalk() {
        intake.until(300);
        intake.walkBegins(NOW);
        intake.walkEnds(true);
        intake.walkBegins(NOW);
        intake.full(250);
        assertThat(intake.gaplessSeconds()).isEqualTo(249);
        assertThat(intake.admits(250)).as("there is room for none as hot").isFalse();
        intake.until(300);
        assertThat(intake.admits(250)).as("there may be room by now").isTrue();
        intake.walkEnds(true);
        assertThat(intake.gaplessSeconds()).isEqualTo(249);
    }

    @Test
    void oneFileLeftOutIsAGapAndKeepsNoOtherOut() {
        intake.until(300);
        intake.walkBegins(NOW);
        intake.leftOut(250);
        assertThat(intake.admits(300)).isTrue();
        intake.walkEnds(true);
        assertThat(intake.gaplessSeconds()).isEqualTo(249);
    }

    @Test
    void aWalkThatFoundNothingSaysNothing() {
        intake.until(300);
        intake.walkBegins(NOW);
        intake.walkEnds(true);
        intake.walkBegins(NOW);
        intake.walkEnds(false);
        assertThat(intake.gaplessSeconds()).isEqualTo(Long.MIN_VALUE);
    }
}
