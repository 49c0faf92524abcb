package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EarlyLookTest {
    private final TestClocks clocks = new TestClocks();
    private final EarlyLook look = new EarlyLook(clocks, Duration.ofHours(1).toNanos());

    @Test
    void aLookIsDueAtOnceThenOnceAnIntervalOrWhenItIsAskedFor() throws Exception {
        assertThat(look.await(0)).isTrue();
        assertThat(look.await(1))
                .as("a wait is bounded, however long the interval")
                .isFalse();
        look.ask();
        assertThat(look.await(60_000)).isTrue();
        clocks.passTime(Duration.ofMinutes(59));
        assertThat(look.await(0)).isFalse();
        clocks.passTime(Duration.ofMinutes(2));
        assertThat(look.await(60_000)).as("an hour on the injected clock").isTrue();
        assertThat(look.await(0)).isFalse();
    }

    @Test
    void nearTheMarkLooksComeMoreOftenAsFarAsTheyCostLittle() throws Exception {
        assertThat(look.await(0)).isTrue();
        look.looked(true, Duration.ofMillis(1).toNanos());
        clocks.passTime(Duration.ofHours(1).dividedBy(EarlyLook.NEAR_PARTS).plusSeconds(1));
        assertThat(look.await(0)).isTrue();
        look.looked(true, Duration.ofMinutes(3).toNanos());
        clocks.passTime(Duration.ofMinutes(29));
        assertThat(look.await(0))
                .as("a look of three minutes is followed by half an hour of rest")
                .isFalse();
        clocks.passTime(Duration.ofMinutes(2));
        assertThat(look.await(0)).isTrue();
        look.looked(false, 0);
        clocks.passTime(Duration.ofMinutes(59));
        assertThat(look.await(0)).as("the mark is far").isFalse();
    }
}
