package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MappedMedium;
import io.tidemark.core.medium.Medium;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An {@link OutOfMemoryError} in the middle of each step, at each place where the pool asks a medium, its clock or its hash,
 * before and after the call. The value is the old one, the new one, or gone; other keys are stored, moved, read and expired as
 * ever; and at most the space of the blocks of that step stays held. A server ends at such an error where the JVM throws it.
 */
class AllocationFailuresTest {
    private static final int PAGES = 32;
    private static final int OTHERS = 4;
    private static final byte[] OLD = value(1, PAGE);
    private static final byte[] NEW = value(2, 2 * PAGE);
    private static final BlockKey KEY = key("k");
    private static final BlockKey OTHER = key("other");

    /** Fails once, at one of the places it passes. */
    private static final class Failure {
        private int left;

        void passes() {
            if (left > 0 && --left == 0) {
                throw new OutOfMemoryError("test");
            }
        }
    }

    /** What the failure comes in the middle of. The key holds the old value, in memory or below. */
    enum Step {
        PUT(false) {
            @Override
            void run(Pool pool, Session session) {
                PoolHarness.put(session, OTHER, NEW, PutHints.NONE, PutMode.REPLACE);
            }
        },
        OVERWRITE(false) {
            @Override
            void run(Pool pool, Session session) {
                PoolHarness.put(session, KEY, NEW, PutHints.NONE, PutMode.REPLACE);
            }
        },
        OVERWRITE_BELOW(true) {
            @Override
            void run(Pool pool, Session session) {
                PoolHarness.put(session, KEY, NEW, MORTAL, PutMode.REPLACE);
            }
        },
        BATCH(true) {
            @Override
            void run(Pool pool, Session session) {
                List<Reserved.Reservation> puts = Stream.of(KEY, OTHER)
                        .map(each -> (Reserved.Reservation)
                                session.reserve(each, NEW.length, PutHints.NONE, PutMode.REPLACE))
                        .toList();
                puts.forEach(put -> PoolHarness.fill(put.segments(), NEW));
                session.commitTogether(puts, PutHints.NONE);
            }
        },
        DEMOTE(false) {
            @Override
            void run(Pool pool, Session session) {
                pool.evict(EvictionRequest.of(KEY, EvictionReason.CAPACITY));
                pool.transitionWork().run();
            }
        },
        READ_AND_PROMOTE(true) {
            @Override
            void run(Pool pool, Session session) {
                var _ = PoolHarness.get(session, KEY);
                pool.transitionWork().run();
            }
        },
        DELETE(true) {
            @Override
            void run(Pool pool, Session session) {
                pool.evict(EvictionRequest.of(KEY, EvictionReason.DELETED));
            }
        },
        EXPIRE(false) {
            @Override
            void run(Pool pool, Session session) {
                pool.expireAfter(KEY, 1_000);
                pool.expireAfter(KEY, 0);
            }
        },
        CLEAR(true) {
            @Override
            void run(Pool pool, Session session) {
                pool.clear();
            }
        };

        private static final PutHints MORTAL =
                new PutHints(Optional.empty(), false, 3, OptionalLong.of(1_000_000), false);

        private final boolean below;

        Step(boolean below) {
            this.below = below;
        }

        abstract void run(Pool pool, Session session);
    }

    private static Medium failing(Medium medium, Failure failure, boolean after) {
        Class<?> kind = medium instanceof MappedMedium ? MappedMedium.class : Medium.class;
        return (Medium) Proxy.newProxyInstance(
                Medium.class.getClassLoader(), new Class<?>[] {kind}, (proxy, called, arguments) -> {
                    if (!after) {
                        failure.passes();
                    }
                    try {
                        Object answer = called.invoke(medium, arguments);
                        if (after) {
                            failure.passes();
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Clocks failing(ManualClocks clocks, Failure failure) {
        return new Clocks() {
            @Override
            public long monotonicNanos() {
                failure.passes();
                return clocks.monotonicNanos();
            }

            @Override
            public long wallMillis() {
                failure.passes();
                return clocks.wallMillis();
            }
        };
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void whereverMemoryIsRefusedNoWrongByteIsReadAndNobodyElseIsTouched(Step step) {
        for (boolean after : new boolean[] {false, true}) {
            int place = 1;
            while (failsAt(step, place, after)) {
                place++;
            }
            assertThat(place).as("places that fail").isGreaterThan(3);
        }
    }

    /** False: the step passes fewer places. */
    private static boolean failsAt(Step step, int place, boolean after) {
        Failure failure = new Failure();
        ManualClocks clocks = new ManualClocks();
        Medium memory = failing(PoolHarness.dram("dram0", PAGES), failure, after);
        Medium far = failing(new FarMedium("far0", PAGES), failure, after);
        TierConfig upper = TierConfig.of("dram", Marks.DEFAULT, new TierMember(memory, 1));
        TierConfig lower = TierConfig.of("far", Marks.DEFAULT, new TierMember(far, 1));
        PoolConfig config = PoolConfig.of(upper.offloadingTo("far"), lower.promoting(new Promotion(1, true)))
                .with(failing(clocks, failure));
        KeyHash hash = KeyHash.seeded(1);
        Pool pool = Pool.manual(config, bytes -> {
            failure.passes();
            return hash.hash(bytes);
        });
        try (pool;
                Session session = pool.session("test")) {
            PoolHarness.put(session, KEY, OLD, PutHints.NONE, PutMode.REPLACE);
            if (step.below) {
                pool.evict(EvictionRequest.of(KEY, EvictionReason.CAPACITY));
                pool.transitionWork().run();
            }
            boolean failed = false;
            failure.left = place;
            try (Session client = pool.session("client")) {
                step.run(pool, client);
            } catch (OutOfMemoryError e) {
                failed = true;
            }
            failed |= failure.left == 0;
            failure.left = 0;
            afterwards(
                    pool,
                    session,
                    List.of(memory, far),
                    clocks,
                    step + " place " + place + (after ? " after" : " before"));
            return failed;
        }
    }

    /** The block of the step may keep its space until it is written again or the pool is closed; nobody else is touched. */
    private static void afterwards(Pool pool, Session session, List<Medium> media, ManualClocks clocks, String where) {
        byte[] found = PoolHarness.get(session, KEY);
        assertThat(found == null || Arrays.equals(found, OLD) || Arrays.equals(found, NEW))
                .as(where)
                .isTrue();
        byte[] other = PoolHarness.get(session, OTHER);
        assertThat(other == null || Arrays.equals(other, NEW)).as(where).isTrue();
        PutHints mortal = new PutHints(Optional.empty(), false, 0, OptionalLong.of(100));
        for (int name = 0; name < OTHERS; name++) {
            byte[] value = value(name, PAGE);
            assertThat(PoolHarness.put(session, key(name), value, mortal, PutMode.REPLACE))
                    .as(where)
                    .isEqualTo(Answer.STORED);
            pool.evict(EvictionRequest.of(key(name), EvictionReason.CAPACITY));
            pool.transitionWork().run();
            assertThat(PoolHarness.get(session, key(name))).as(where).isEqualTo(value);
        }
        clocks.advanceMillis(2_000);
        pool.housekeeping().tick();
        for (int name = 0; name < OTHERS; name++) {
            assertThat(pool.remains(key(name)))
                    .as(where + ": what is expired is removed")
                    .isEmpty();
        }
        pool.clear();
        pool.transitionWork().run();
        long held = 0;
        for (Medium medium : media) {
            held += medium.ledger().snapshot().resident()
                    + medium.ledger().snapshot().reserved()
                    + medium.ledger().snapshot().doomed();
        }
        assertThat(held).as(where + ": held in the end").isLessThanOrEqualTo(OLD.length + 2L * NEW.length);
    }
}
