package io.tidemark.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
    @Test
    void sidesTakeTurnsInBothOrdersAndTheirSamplesPairUp() throws Exception {
        List<String> calls = new ArrayList<>();
        double[] clock = {0};
        List<Samples> samples = new Rounds(4, 0)
                .run(List.of(side("a", calls, clock, 3), side("b", calls, clock, 1)), () -> (long) clock[0]);
        assertThat(calls).containsExactly("a", "b", "a", "b", "b", "a", "a", "b", "b", "a");
        assertThat(samples.get(0).side()).isEqualTo("a");
        assertThat(samples.get(0).ratioTo(samples.get(1)).median()).isEqualTo(3);
    }

    @Test
    void theWarmUpLastsAsLongAsAsked() throws Exception {
        List<String> calls = new ArrayList<>();
        double[] clock = {0};
        new Rounds(1, 5).run(List.of(side("a", calls, clock, 1)), () -> (long) clock[0]);
        assertThat(calls).hasSize(5 + 1);
    }

    @Test
    void numbersAreShownWithThreeDigitsAndNoExponent() {
        assertThat(Figure.of(1234.5)).isEqualTo("1230");
        assertThat(Figure.of(0.012345)).isEqualTo("0.0123");
        assertThat(Figure.of(54.26)).isEqualTo("54.3");
    }

    private static Side side(String name, List<String> calls, double[] clock, double value) {
        return new Side() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public double measure() {
                calls.add(name);
                clock[0] += 1e9;
                return value;
            }
        };
    }
}
