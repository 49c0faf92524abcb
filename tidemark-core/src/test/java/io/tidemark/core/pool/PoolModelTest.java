package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool of one DRAM tier against a naive model of it: same answers, same bytes, same victims. */
@NullUnmarked
class PoolModelTest {
    private static final int PAGES = 64;
    private static final Marks MARKS = new Marks(0.85, 0.6);
    private static final int KEYS = 40;

    /** One random call. */
    private record Op(int kind, int key, int pages, int number) {
        static Op random(Random random, int number) {
            return new Op(random.nextInt(100), random.nextInt(KEYS), random.nextInt(6), number);
        }
    }

    /** A value in the model. */
    private static final class Value {
        final int seed;
        final int pages;
        long dies = Long.MAX_VALUE;
        int pins = 0;

        Value(int seed, int pages) {
            this.seed = seed;
            this.pages = pages;
        }

        /** Pages it takes: one at least. */
        int charged() {
            return Math.max(1, pages);
        }
    }

    /** The naive pool: a list from cold to hot. */
    private static final class Model {
        final Map<Integer, Value> blocks = new LinkedHashMap<>();
        int doomedPages = 0;
        long now = 0;

        int usedPages() {
            return doomedPages
                    + blocks.values().stream().mapToInt(Value::charged).sum();
        }

        Value live(int key) {
            Value block = blocks.get(key);
            return block == null || block.dies <= now ? null : block;
        }

        void drop(int key) {
            Value block = blocks.remove(key);
            if (block != null && block.pins > 0) {
                doomedPages += block.charged();
            }
        }

        void use(int key) {
            Value block = blocks.remove(key);
            if (block != null) {
                blocks.put(key, block);
            }
        }

        /** The worker and the work of time. */
        void settle() {
            double low = MARKS.low() * PAGES;
            if (usedPages() >= MARKS.high() * PAGES) {
                Iterator<Value> coldest = blocks.values().iterator();
                while (usedPages() - doomedPages > low && coldest.hasNext()) {
                    if (coldest.next().pins == 0) {
                        coldest.remove();
                    }
                }
            }
            new ArrayList<>(blocks.keySet()).forEach(key -> {
                if (live(key) == null) {
                    drop(key);
                }
            });
        }
    }

    private record OpenRead(int key, Value block, ReadResult.Pinned pin) {}

    @Test
    void random_calls_agree_with_the_model() {
        for (int seed = 0; seed < 15; seed++) {
            check(seed, 3_000);
        }
    }

    @Test
    @Tag("soak")
    void many_random_calls_agree_with_the_model() {
        for (int seed = 1_000; seed < 2_000; seed++) {
            check(seed, 5_000);
        }
    }

    private static void check(int seed, int count) {
        Random random = new Random(seed);
        List<Op> ops = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            ops.add(Op.random(random, number));
        }
        Optional<String> fault = fault(ops);
        if (fault.isPresent()) {
            List<Op> fewer = shrunk(ops);
            throw new AssertionError("seed " + seed + ": " + fault(fewer).orElse("") + " after " + fewer);
        }
    }

    /** Drops calls for as long as the rest still fails. */
    private static List<Op> shrunk(List<Op> failing) {
        List<Op> ops = failing;
        for (int slice = ops.size() / 2; slice > 0; slice /= 2) {
            for (int from = 0; from < ops.size(); ) {
                List<Op> rest = new ArrayList<>(ops.subList(0, from));
                rest.addAll(ops.subList(Math.min(ops.size(), from + slice), ops.size()));
                if (fault(rest).isPresent()) {
                    ops = rest;
                } else {
                    from += slice;
                }
            }
        }
        return ops;
    }

    private static Optional<String> fault(List<Op> ops) {
        Model model = new Model();
        List<OpenRead> reads = new ArrayList<>();
        try (PoolHarness pool = PoolHarness.dram(PAGES, MARKS)) {
            for (Op op : ops) {
                apply(op, pool, model, reads);
            }
            reads.forEach(read -> read.pin().close());
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            return Optional.of(String.valueOf(e));
        }
    }

    private static void apply(Op op, PoolHarness pool, Model model, List<OpenRead> reads) {
        if (op.kind() < 45) {
            put(op, pool, model);
        } else if (op.kind() < 65) {
            get(op, pool, model);
        } else if (op.kind() < 72) {
            open(op, pool, model, reads);
        } else if (op.kind() < 80) {
            finish(op, model, reads);
        } else if (op.kind() < 86) {
            boolean held = model.live(op.key()) != null;
            EvictionOutcome outcome =
                    pool.evict(op.key(), EvictionReason.DELETED).outcome();
            assertThat(outcome).as("%s", op).isEqualTo(held ? EvictionOutcome.FREED : EvictionOutcome.NONE);
            model.drop(op.key());
        } else if (op.kind() < 90) {
            life(op, pool, model);
        } else if (op.kind() < 93) {
            pool.clocks.advanceMillis(10L * op.pages());
            model.now += 10L * op.pages();
        } else if (op.kind() < 94 && op.pages() == 0) {
            pool.pool.clear();
            List.copyOf(model.blocks.keySet()).forEach(model::drop);
        } else {
            pool.settle();
            model.settle();
        }
        agree(op, pool, model);
    }

    private static void put(Op op, PoolHarness pool, Model model) {
        // Now and then the bytes that are there already.
        Value old = model.live(op.key());
        boolean same = old != null && op.number() % 3 == 0;
        Value made = same ? old : new Value(op.number(), op.pages());
        boolean fits = model.usedPages() + made.charged() <= PAGES;
        Answer answer = pool.put(op.key(), value(made.seed, made.pages * PAGE));
        assertThat(answer).as("%s", op).isEqualTo(fits ? Answer.STORED : Answer.NO_SPACE);
        if (fits && same) {
            old.dies = Long.MAX_VALUE;
            model.use(op.key());
        } else if (fits) {
            // An empty value equals every other empty value.
            boolean equal = old != null && old.pages == 0 && made.pages == 0;
            if (equal) {
                old.dies = Long.MAX_VALUE;
                model.use(op.key());
            } else {
                model.drop(op.key());
                model.blocks.put(op.key(), made);
            }
        }
    }

    private static void get(Op op, PoolHarness pool, Model model) {
        Value block = model.live(op.key());
        byte[] expected = block == null ? null : value(block.seed, block.pages * PAGE);
        assertThat(pool.get(op.key())).as("%s", op).isEqualTo(expected);
        if (block != null) {
            model.use(op.key());
        }
    }

    private static void open(Op op, PoolHarness pool, Model model, List<OpenRead> reads) {
        if (reads.size() < 4 && model.live(op.key()) != null) {
            Value block = model.live(op.key());
            block.pins++;
            reads.add(new OpenRead(op.key(), block, pool.pin(op.key())));
        }
    }

    private static void finish(Op op, Model model, List<OpenRead> reads) {
        if (reads.isEmpty()) {
            return;
        }
        OpenRead read = reads.remove(op.pages() % reads.size());
        assertThat(PoolHarness.bytes(read.pin())).isEqualTo(value(read.block().seed, read.block().pages * PAGE));
        read.pin().close();
        read.block().pins--;
        if (model.blocks.get(read.key()) == read.block()) {
            model.use(read.key());
        } else if (read.block().pins == 0) {
            model.doomedPages -= read.block().charged();
        }
    }

    private static void life(Op op, PoolHarness pool, Model model) {
        Value block = model.live(op.key());
        long millis = 10L * op.pages();
        assertThat(pool.pool.expireAfter(key(op.key()), millis)).as("%s", op).isEqualTo(block != null);
        if (block != null) {
            block.dies = model.now + millis;
            if (millis == 0) {
                model.drop(op.key());
            }
        }
        assertThat(pool.pool.ttlMillis(key(op.key()))).isEqualTo(block == null || millis == 0 ? -2 : millis);
    }

    private static void agree(Op op, PoolHarness pool, Model model) {
        BackendStatus status = pool.backend();
        assertThat(status.residentBytes() + status.doomedBytes())
                .as("%s", op)
                .isEqualTo((long) PAGE * model.usedPages());
        if (op.number() % 50 == 0) {
            List<Integer> live = new ArrayList<>();
            for (int key = 0; key < KEYS; key++) {
                if (model.live(key) != null) {
                    live.add(key);
                }
            }
            assertThat(pool.held(KEYS)).as("%s", op).isEqualTo(live);
            pool.pool.checkInvariants();
        }
    }
}
