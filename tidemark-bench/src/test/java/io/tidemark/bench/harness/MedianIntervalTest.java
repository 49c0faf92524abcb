package io.tidemark.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MedianIntervalTest {
    @Test
    void ofThirtySamplesTheTenthFromEachEndBoundsTheMedian() {
        double[] samples = IntStream.rangeClosed(1, 30).mapToDouble(i -> i).toArray();
        assertThat(MedianInterval.of(samples)).isEqualTo(new MedianInterval(15.5, 10, 21));
    }

    @Test
    void ofFewSamplesTheIntervalIsTheirRange() {
        assertThat(MedianInterval.of(3, 1, 2)).isEqualTo(new MedianInterval(2, 1, 3));
        assertThat(MedianInterval.of(7)).isEqualTo(new MedianInterval(7, 7, 7));
        assertThatThrownBy(MedianInterval::of).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsAsAMedianWithItsUnitAndTheInterval() {
        assertThat(MedianInterval.of(2.754, 2.806, 2.861).text("s")).isEqualTo("2.81 s [2.75, 2.86]");
    }

    @Test
    void theIntervalHoldsTheTrueMedianAtLeastAsOftenAsItSays() {
        SplittableRandom random = new SplittableRandom(20_261_129);
        int held = 0;
        for (int round = 0; round < 4000; round++) {
            MedianInterval interval = MedianInterval.of(random.doubles(30).toArray());
            held += interval.low() <= 0.5 && interval.high() >= 0.5 ? 1 : 0;
        }
        assertThat(held / 4000.0).isBetween(0.945, 0.975);
    }
}
