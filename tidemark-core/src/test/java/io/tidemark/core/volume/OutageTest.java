package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.Clocks;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OutageTest {
    private final AtomicLong millis = new AtomicLong();
    private final Clocks clocks = new Clocks() {
        @Override
        public long monotonicNanos() {
            return Long.MAX_VALUE - 10_000_000_000L + millis.get() * 1_000_000L; // crosses its wrap-around
        }

        @Override
        public long wallMillis() {
            return millis.get();
        }
    };
    private final RecordingListener listener = new RecordingListener();
    private final Outage outage = new Outage("/cache", listener, clocks);

    private void flap(String reason, int times) {
        for (int i = 0; i < times; i++) {
            outage.away(reason);
            millis.addAndGet(500);
            outage.answered();
            millis.addAndGet(500);
        }
    }

    @Test
    void anOutageIsToldWhenItBeginsWhenItsReasonChangesAndWhenItEnds() {
        outage.away("away");
        outage.away("away");
        millis.addAndGet(1_500);
        outage.away("unmounted");
        outage.answered();
        outage.answered();
        assertThat(listener.warnings)
                .containsExactly(
                        "away: nothing is removed until that has changed",
                        "unmounted: nothing is removed until that has changed",
                        "the volume /cache is there again after 1.5 s; before: unmounted");
        assertThat(outage.why()).isEmpty();
    }

    @Test
    void aVolumeThatComesAndGoesIsToldFourTimesAMinuteAndTheRestAsANumber() {
        flap("away", 40);
        assertThat(listener.warnings).hasSize(2 * Outage.TOLD_MAX);
        millis.addAndGet(30_000);
        outage.answered();
        outage.answered();
        assertThat(listener.warnings)
                .hasSize(2 * Outage.TOLD_MAX + 1)
                .last()
                .asString()
                .contains("away 36 more times");
        flap("away", 60 * 5);
        assertThat(listener.warnings.size()).as("five minutes").isBetween(9 + 5 * 8, 9 + 6 * 9);
    }

    @Test
    void anOutageThatWasPassedOverIsToldIfItLasts() {
        flap("away", 10);
        int before = listener.warnings.size();
        outage.away("away");
        assertThat(listener.warnings).hasSize(before);
        assertThat(outage.why()).as("shown all the same").isEqualTo("away");
        millis.addAndGet(60_000);
        outage.away("away");
        assertThat(listener.warnings)
                .hasSize(before + 2)
                .last()
                .isEqualTo("away: nothing is removed until that has changed");
        outage.answered();
        assertThat(listener.warnings).last().asString().contains("there again after 60.0 s");
    }
}
