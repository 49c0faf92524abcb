package io.tidemark.bench.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class VictimsTest {
    private static final long[] BEFORE = {10, 20, 30, 30, 30, 40, 50};

    private static long[] left(long... times) {
        return times;
    }

    @Test
    void theColdestFilesAreAllOfTheColdest() throws Exception {
        Victims victims = Victims.of(BEFORE, left(30, 30, 30, 40, 50));
        assertThat(victims).isEqualTo(new Victims(2, 2));
        assertThat(victims.missedPercent()).isZero();
    }

    @Test
    void ofOneSecondAnyFileIsAsGood() throws Exception {
        assertThat(Victims.of(BEFORE, left(30, 40, 50))).isEqualTo(new Victims(4, 4));
    }

    @Test
    void hotterFilesCountAsMisses() throws Exception {
        Victims victims = Victims.of(BEFORE, left(20, 30, 30));
        assertThat(victims).isEqualTo(new Victims(4, 2));
        assertThat(victims.missedPercent()).isEqualTo(50);
    }

    @Test
    void moreOfTheLastSecondThanItsShareAreMisses() throws Exception {
        assertThat(Victims.of(BEFORE, left(10, 30, 40, 50))).isEqualTo(new Victims(3, 2));
    }

    @Test
    void everythingGoneIsWhatAnyOrderTakes() throws Exception {
        assertThat(Victims.of(BEFORE, left())).isEqualTo(new Victims(7, 7));
    }

    @Test
    void nothingGoneIsNoEviction() {
        assertThatThrownBy(() -> Victims.of(BEFORE, BEFORE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("7 files before, 7 after");
    }
}
