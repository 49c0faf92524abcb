package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
    @Test
    void requestsAreDueAtTheirTimeDividedByTheFactor() {
        assertThat(Pace.parse("real").dueNanos(1500)).isEqualTo(1_500_000_000L);
        assertThat(Pace.parse("x10").dueNanos(1500)).isEqualTo(150_000_000L);
        assertThat(Pace.parse("x0.5").dueNanos(1500)).isEqualTo(3_000_000_000L);
        assertThat(Pace.parse("ASAP").dueNanos(1500)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fast", "x", "x0", "x-1", "xNaN", "10"})
    void refusesOtherWords(String text) {
        assertThatThrownBy(() -> Pace.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
