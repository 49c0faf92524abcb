package io.tidemark.index.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@link Links}: what was written stays where it was, however much the pages grow. */
class LinksTest {
    private static final int PLACES = 100_000;

    @Test
    void growthKeepsWhatIsThereAndNewPlacesAreEmpty() {
        Links links = new Links();
        for (int at = 0; at < PLACES; at++) {
            links.growTo(at);
            assertThat(links.before(at) + links.after(at)).isZero();
            links.setBefore(at, at + 1);
            links.setAfter(at, -at);
        }
        for (int at = 0; at < PLACES; at++) {
            assertThat(links.before(at)).isEqualTo(at + 1);
            assertThat(links.after(at)).isEqualTo(-at);
        }
    }

    /** An array that grows by half would stand at up to 150 % of what is needed, and be copied whole. */
    @Test
    void roomIsAPageMoreThanNeededAtMost() {
        Links links = new Links();
        for (int at = 0; at < 10 * PLACES; at += 1_000) {
            links.growTo(at);
            assertThat(links.capacity() - at).isBetween(1, 8_192);
        }
    }
}
