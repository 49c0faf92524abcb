package io.tidemark.index.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TideHazardsTest {
    @Test
    void aBlockIsWorthMostRightBeforeTheAgeAtWhichItsClassIsUsed() {
        TideHazards hazards = new TideHazards(2);
        feed(hazards, 0, 100);
        hazards.rate();
        assertThat(hazards.worth(0, 99)).isGreaterThan(hazards.worth(0, 50));
        assertThat(hazards.worth(0, 50)).isGreaterThan(hazards.worth(0, 5));
        assertThat(hazards.worth(0, 99)).isGreaterThan(10 * hazards.worth(0, 120));
    }

    @Test
    void theIndexIsTheBestRateOverAnyTimeToCome() {
        TideHazards hazards = new TideHazards(1);
        feed(hazards, 0, 30);
        feed(hazards, 0, 200);
        hazards.rate();
        for (int age = 0; age < TideHazards.HORIZON; age += 7) {
            assertThat(hazards.worth(0, age)).as("age %d", age).isCloseTo(bestRate(hazards, age), within(1e-12));
        }
    }

    @Test
    void aClassWithoutDataLeansOnTheOthers() {
        TideHazards hazards = new TideHazards(2);
        feed(hazards, 0, 40);
        hazards.rate();
        assertThat(hazards.worth(1, 39)).isPositive();
        TideHazards empty = new TideHazards(2);
        empty.rate();
        assertThat(empty.worth(1, 39)).isZero();
    }

    private static double bestRate(TideHazards hazards, int from) {
        double survival = 1;
        double time = 0;
        double hits = 0;
        double best = 0;
        for (int age = from; age < TideHazards.HORIZON; age++) {
            time += survival;
            hits += survival * hazards.lastHazard(age);
            survival *= 1 - hazards.lastHazard(age);
            best = Math.max(best, hits / time);
        }
        return best;
    }

    /** Two thousand blocks wait and are used at the same age, two hundred wait for ever. */
    private static void feed(TideHazards hazards, int blockClass, int age) {
        for (int wait = 0; wait < TideHazards.HORIZON; wait++) {
            hazards.waited(blockClass, wait, wait < age ? 2000 : 200);
        }
        for (int use = 0; use < 2000; use++) {
            hazards.used(blockClass, age);
        }
    }
}
