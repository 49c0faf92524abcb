package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.CopyState;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Memory is refused at each place where a move is queued, taken, carried, tried again or ended. Whatever was begun is taken
 * back: no copy stays moving or pinned, none is out of the order, no entry counts as about to be promoted for ever.
 */
class ScarceMovesTest {
    private static final int BLOCKS = 4;

    /** What memory is refused in the middle of. */
    enum Step {
        DEMOTE,
        DEMOTE_TOGETHER,
        DEMOTE_APART,
        DEMOTE_LATER,
        END_HOPELESS,
        PROMOTE
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void whereverMemoryIsRefusedAMoveIsTakenBack(Step step) throws Exception {
        ScarceMemory memory = new ScarceMemory(name ->
                name.matches("(Transition(Queue|Lanes|Work|Counters)?|PromotionHits|Mover|Move|JointFill)(\\$.*)?"));
        Method fails =
                memory.loadClass(ScarceMovesTest.class.getName()).getDeclaredMethod("failsAt", String.class, int.class);
        fails.setAccessible(true);
        assertThat(fails.invoke(null, step.name(), 0)).as("loads what it needs").isEqualTo(true);
        int place = 1;
        while ((boolean) fails.invoke(null, step.name(), place)) {
            place++;
        }
        assertThat(place).as("places that make objects").isGreaterThan(20);
    }

    /** False: the step passes fewer places. Runs in classes of their own. */
    static boolean failsAt(String stepName, int place) {
        Step step = Step.valueOf(stepName);
        FarMedium far = new FarMedium("far0", 16);
        TierConfig upper = TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 16), 1));
        TierConfig lower = TierConfig.of("far", Marks.DEFAULT, new TierMember(far, 1));
        try (PoolHarness pool = PoolHarness.tiered(upper, lower.promoting(new Promotion(1, true)), limits -> limits)) {
            int blocks = step == Step.DEMOTE ? 1 : BLOCKS;
            IntStream.range(0, blocks).forEach(name -> pool.put(name, value(name, PAGE)));
            if (step == Step.PROMOTE) {
                demoteAll(pool, blocks);
                pool.pool.transitionWork().run();
            }
            ScarceMemory.Supply.failAt(place);
            String at = "nowhere";
            try {
                run(step, pool, far, blocks);
            } catch (OutOfMemoryError e) {
                at = Stream.of(e.getStackTrace()).skip(1).limit(3).toList().toString();
            }
            boolean failed = ScarceMemory.Supply.hasFailed();
            ScarceMemory.Supply.failAt(0);
            far.full = false;
            far.healthy = true;
            far.failWrites.set(0);
            afterwards(pool, blocks, step + " place " + place + " at " + at);
            return failed;
        }
    }

    private static void demoteAll(PoolHarness pool, int blocks) {
        IntStream.range(0, blocks).forEach(name -> pool.evict(name, EvictionReason.CAPACITY));
    }

    private static void run(Step step, PoolHarness pool, FarMedium far, int blocks) {
        switch (step) {
            case DEMOTE, DEMOTE_TOGETHER -> {
                demoteAll(pool, blocks);
                pool.pool.transitionWork().run();
            }
            case DEMOTE_APART -> {
                far.failWrites.set(1);
                demoteAll(pool, blocks);
                pool.pool.transitionWork().run();
            }
            case DEMOTE_LATER -> {
                far.full = true;
                demoteAll(pool, blocks);
                pool.pool.transitionWork().run();
                far.full = false;
                pool.clocks.advanceMillis(2_000);
                pool.pool.transitionWork().run();
            }
            case END_HOPELESS -> {
                demoteAll(pool, blocks);
                far.healthy = false;
                pool.pool.transitionWork().endHopeless();
            }
            case PROMOTE -> {
                IntStream.range(0, blocks).forEach(name -> PoolHarness.get(pool.session, key(name)));
                pool.pool.transitionWork().run();
            }
        }
    }

    private static void afterwards(PoolHarness pool, int blocks, String where) {
        pool.pool.checkInvariants(); // what is queued is moving, and nothing else
        for (int tries = 0; tries < 4; tries++) {
            pool.clocks.advanceMillis(2_000);
            pool.pool.transitionWork().run();
        }
        assertThat(pool.pool.status().transitions())
                .as(where + ": moves that wait or run")
                .isZero();
        for (int name = 0; name < blocks; name++) {
            List<CopyInfo> copies = pool.pool.where(key(name));
            assertThat(copies).as(where).allMatch(copy -> copy.state() == CopyState.COMMITTED && copy.pins() == 0);
        }
        pool.pool.checkInvariants();
        for (int name = 0; name < blocks; name++) {
            if (!pool.pool.where(key(name)).isEmpty()) {
                assertThat(PoolHarness.get(pool.session, key(name))).as(where).isEqualTo(value(name, PAGE));
                pool.pool.transitionWork().run();
                assertThat(pool.where(name)).as(where + ": goes up").startsWith("dram0");
                assertThat(pool.evict(name, EvictionReason.CAPACITY).outcome())
                        .as(where + ": goes down")
                        .isIn(EvictionOutcome.DEMOTION_QUEUED, EvictionOutcome.FREED);
                pool.pool.transitionWork().run();
                assertThat(pool.where(name)).as(where + ": goes down").containsExactly("far0");
            }
        }
    }
}
