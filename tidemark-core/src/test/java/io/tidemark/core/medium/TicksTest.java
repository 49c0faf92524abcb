package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TicksTest {
    @Test
    void keepsFortyEightBitsOfEachElement() {
        Ticks ticks = new Ticks(100_000);
        long[] values = {0, 1, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL, 1L << 32, 0x7FFF_FFFF_FFFFL, 0xFFFF_FFFF_FFFFL
        };
        for (int i = 0; i < values.length; i++) {
            ticks.set(i * 11_111, values[i]);
        }
        for (int i = 0; i < values.length; i++) {
            assertThat(ticks.get(i * 11_111)).isEqualTo(values[i]);
        }
        assertThat(ticks.get(99_999)).isZero();
    }
}
