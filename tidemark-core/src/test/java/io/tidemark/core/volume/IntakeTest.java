package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IntakeTest {
    private final Intake intake = new Intake();

    @Test
    void nothingIsWithoutGapsBeforeTheFirstWalkHasEnded() {
        assertThat(intake.admits(Long.MAX_VALUE)).isTrue();
        intake.walkBegins();
        assertThat(intake.gaplessSeconds()).isEqualTo(Long.MIN_VALUE);
        intake.walkEnds();
        assertThat(intake.gaplessSeconds()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theStrictestMomentOfAWalkCounts() {
        intake.until(500);
        intake.walkBegins();
        intake.until(300);
        intake.until(400);
        assertThat(intake.admits(400)).isTrue();
        assertThat(intake.admits(401)).isFalse();
        intake.walkEnds();
        assertThat(intake.gaplessSeconds()).isEqualTo(300);
    }

    @Test
    void whatTheWalkBeforeTookCountsUntilTheNextOneHasEnded() {
        intake.until(300);
        intake.walkBegins();
        intake.walkEnds();
        intake.until(200);
        intake.walkBegins();
        assertThat(intake.gaplessSeconds()).isEqualTo(300);
        intake.walkEnds();
        assertThat(intake.gaplessSeconds()).isEqualTo(200);
    }

    @Test
    void whatThereWasNoRoomForIsAGapAtOnceAndAfterTheWalk() {
        intake.until(300);
        intake.walkBegins();
        intake.walkEnds();
        intake.walkBegins();
        intake.full(250);
        assertThat(intake.gaplessSeconds()).isEqualTo(249);
        assertThat(intake.admits(250)).as("there is room for none as hot").isFalse();
        intake.until(300);
        assertThat(intake.admits(250)).as("there may be room by now").isTrue();
        intake.walkEnds();
        assertThat(intake.gaplessSeconds()).isEqualTo(249);
    }

    @Test
    void oneFileLeftOutIsAGapAndKeepsNoOtherOut() {
        intake.until(300);
        intake.walkBegins();
        intake.leftOut(250);
        assertThat(intake.admits(300)).isTrue();
        intake.walkEnds();
        assertThat(intake.gaplessSeconds()).isEqualTo(249);
    }
}
