package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A device whose file system was mounted read-only: what is discarded there comes back, and nothing else is held up by that. */
class ReadOnlyBelowTest {
    private static final Marks MARKS = new Marks(0.5, 0.25);

    private final FarMedium below = new FarMedium("far0", 10);
    private final PoolHarness pool = PoolHarness.tiered(
            TierConfig.of("dram", MARKS, new TierMember(PoolHarness.dram("dram0", 64), 1)),
            TierConfig.of("far", MARKS, new TierMember(below, 1)).promoting(new Promotion(1, true)),
            UnaryOperator.identity());

    @BeforeEach
    void someBlocksLieBelow() {
        for (int name = 0; name < 4; name++) {
            pool.putPage(name);
            pool.evict(name, EvictionReason.CAPACITY);
            pool.settle();
        }
        below.readOnly = true;
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private Set<String> delete(int name) {
        return pool.evict(name, EvictionReason.DELETED).unwritten();
    }

    @Test
    void only_the_delete_of_what_lies_there_says_that_it_comes_back() {
        IntStream.range(0, 3).forEach(pool::get);
        pool.settle();
        assertThat(delete(0)).containsExactly("far0");
        assertThat(delete(0)).as("it is gone until the next start").isEmpty();
        assertThat(pool.put(0, value(7, PAGE))).isEqualTo(Answer.STORED);
        assertThat(delete(0)).isEmpty();
        for (int name = 100; name < 130; name++) {
            pool.putPage(name);
            assertThat(delete(name)).isEmpty();
        }
        assertThat(pool.pool.awaitEnds(key(1))).isEmpty();
        assertThat(pool.pool.clear()).as("there are more").containsExactly("far0");
    }

    @Test
    void who_does_not_wait_hears_it_too() {
        List<Unsettled> left = new ArrayList<>();
        var request = EvictionRequest.of(key(1), EvictionReason.DELETED);
        assertThat(pool.pool.evict(request, Ends.leftTo(left::add)).unwritten()).isEmpty();
        assertThat(left).singleElement().satisfies(rest -> {
            assertThat(rest.backends()).containsExactly("far0");
            assertThat(rest.await()).containsExactly("far0");
        });
    }

    @Test
    void what_is_promoted_by_move_stays_there_and_so_does_what_is_to_make_room() {
        pool.get(1);
        pool.settle();
        assertThat(pool.where(1)).containsExactly("dram0", "far0");
        assertThat(pool.evictFrom(2, "far0")).isEqualTo(EvictionOutcome.NONE);
        pool.settle();
        assertThat(below.copies().count()).as("above its high mark, or not").isEqualTo(4);
        assertThat(pool.get(3)).isEqualTo(value(3, PAGE));
    }
}
