package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
        assertThat(pool.evict(0, EvictionReason.DELETED).outcome()).isEqualTo(EvictionOutcome.NONE);
        for (int name = 100; name < 130; name++) {
            pool.putPage(name);
            assertThat(delete(name)).isEmpty();
        }
        assertThat(pool.pool.awaitEnds(key(1))).isEmpty();
        assertThat(pool.pool.clear()).as("there are more").containsExactly("far0");
        assertThat(delete(100)).as("other keys are not concerned").isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = EvictionReason.class,
            names = {"DELETED", "EXPIRED"})
    void a_delete_says_that_what_was_overwritten_there_comes_back(EvictionReason reason) {
        pool.get(1);
        pool.settle();
        assertThat(pool.where(1)).containsExactly("dram0", "far0");
        for (int name = 0; name < 2; name++) {
            assertThat(pool.put(name, value(7, PAGE))).isEqualTo(Answer.STORED);
            assertThat(pool.where(name)).containsExactly("dram0");
            for (int time = 0; time < 2; time++) {
                assertThat(pool.evict(name, reason).unwritten())
                        .as("whether or not it was told before")
                        .containsExactly("far0");
                assertThat(pool.put(name, value(8, PAGE))).isEqualTo(Answer.STORED);
            }
        }
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
    void the_older_one_that_was_overwritten_is_told_at_the_end_of_the_younger_one_only() {
        List<Unsettled> left = new ArrayList<>();
        pool.put(2, value(7, PAGE));
        assertThat(pool.pool.endsPending(key(2))).isTrue();
        assertThat(pool.pool.endsPending(key(3))).isFalse();
        var request = EvictionRequest.of(key(2), EvictionReason.DELETED);
        assertThat(pool.pool.evict(request, Ends.leftTo(left::add)).unwritten()).isEmpty();
        assertThat(left)
                .singleElement()
                .satisfies(rest -> assertThat(rest.giveUp()).containsExactly("far0"));
    }

    @Test
    void a_life_that_was_over_by_the_record_is_over_after_a_restart_too_and_one_that_was_changed_is_not() {
        below.readOnly = false;
        for (int name = 10; name < 13; name++) {
            PutHints second = new PutHints(Optional.empty(), false, 0, OptionalLong.of(1_000));
            PoolHarness.put(pool.session, key(name), value(name, PAGE), second, PutMode.REPLACE);
            pool.evict(name, EvictionReason.CAPACITY);
            pool.settle();
        }
        below.readOnly = true;
        assertThat(pool.held(20)).containsExactly(3, 10, 11, 12);
        assertThat(pool.pool.expireAfter(key(12), 500)).isTrue();
        pool.clocks.advanceMillis(1_000);
        assertThat(delete(10)).isEmpty();
        pool.settle();
        assertThat(pool.held(20)).containsExactly(3);
        assertThat(delete(11)).isEmpty();
        assertThat(delete(12)).as("on record with more time").containsExactly("far0");
    }

    @Test
    void no_pass_asks_for_victims_there() {
        pool.settle();
        assertThat(below.copies().count()).isEqualTo(4);
        below.readOnly = false;
        pool.putPage(4);
        pool.evict(4, EvictionReason.CAPACITY);
        pool.settle(); // it has five of ten pages now, which is its high mark
        below.readOnly = true;
        long asked = pool.counter("tidemark_eviction_requested_bytes_total", "far0");
        pool.settle();
        assertThat(pool.counter("tidemark_eviction_requested_bytes_total", "far0"))
                .isEqualTo(asked);
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
