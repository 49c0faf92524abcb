package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockContentTest {
    private final BlockContent content = new BlockContent();

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 15, 4096, 65_535, 65_536, 65_537, 200_003})
    void everyByteOfABlockIsItsOwn(int bytes) {
        MemorySegment block = filled(bytes, 7);
        assertThat(content.wrongBytes(block, 7)).isZero();
    }

    @Test
    void eachChangedByteIsCountedWhereverItIs() {
        long seed = 20_261_129;
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            int bytes = random.nextInt(8, 150_000);
            MemorySegment block = filled(bytes, round);
            Set<Integer> places = new HashSet<>();
            for (int i = random.nextInt(1, 20); i > 0; i--) {
                places.add(random.nextInt(bytes));
            }
            for (int place : places) {
                byte was = block.get(ValueLayout.JAVA_BYTE, place);
                block.set(ValueLayout.JAVA_BYTE, place, (byte) (was + 1));
            }
            assertThat(content.wrongBytes(block, round))
                    .as("seed %d round %d", seed, round)
                    .isEqualTo(places.size());
        }
    }

    @Test
    void theBytesOfAnotherBlockOrAnotherPlaceAreWrong() {
        MemorySegment block = filled(262_144, 3);
        assertThat(content.wrongBytes(block, 4)).isGreaterThan(250_000);
        assertThat(content.wrongBytes(block.asSlice(65_536, 65_536), 3)).isGreaterThan(65_000);
        assertThat(content.wrongBytes(block.asSlice(8, 65_528), 3)).isGreaterThan(65_000);
    }

    private MemorySegment filled(int bytes, long block) {
        MemorySegment segment = MemorySegment.ofArray(new byte[bytes]);
        content.fill(segment, block);
        return segment;
    }
}
