package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PlaceSetTest {
    @Test
    void itIsASortedSet() {
        Random random = new Random(1);
        for (int bound = 64; bound <= 1 << 20; bound *= 4) {
            PlaceSet set = new PlaceSet();
            set.grow(bound / 4);
            TreeSet<Integer> naive = new TreeSet<>();
            for (int step = 0; step < 10_000; step++) {
                if (step == 1_000) {
                    set.grow(bound);
                }
                int number = random.nextInt(step < 1_000 ? bound / 4 : bound);
                switch (random.nextInt(6)) {
                    case 0, 1, 2 -> {
                        set.add(number);
                        naive.add(number);
                    }
                    case 3, 4 -> {
                        set.remove(number);
                        naive.remove(number);
                    }
                    default -> {
                        int below = random.nextInt(20) == 0 ? number : number / 1_000;
                        assertThat(set.removeBelow(below))
                                .isEqualTo(naive.headSet(below).size());
                        naive.headSet(below).clear();
                    }
                }
                assertThat(set.has(number)).isEqualTo(naive.contains(number));
                assertThat(set.first()).isEqualTo(naive.isEmpty() ? Nodes.NONE : naive.first());
            }
        }
    }
}
