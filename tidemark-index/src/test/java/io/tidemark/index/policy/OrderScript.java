package io.tidemark.index.policy;

import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * Random operations on an order and on its naive model at once. The first difference is shrunk by dropping
 * operations for as long as a difference remains, and reported with its seed.
 */
final class OrderScript {
    /** Facts that the operations change. */
    static class Facts implements NodeFacts {
        final long[] lastAccess;
        final long[] created;
        final long[] hits;
        final long[] priority;
        private long tick;

        Facts(int nodes) {
            lastAccess = new long[nodes];
            created = new long[nodes];
            hits = new long[nodes];
            priority = new long[nodes];
        }

        @Override
        public long lastAccess(int node) {
            return lastAccess[node];
        }

        @Override
        public long created(int node) {
            return created[node];
        }

        @Override
        public long hits(int node) {
            return hits[node];
        }

        @Override
        public long priority(int node) {
            return priority[node];
        }

        @Override
        public boolean incompleteTail(int node) {
            return node % 3 == 0;
        }
    }

    private record Op(Kind kind, int node, int other) {}

    private enum Kind {
        ADD,
        USE,
        USE_BEHIND,
        REMOVE,
        BEGIN,
        POP,
        PROMOTE,
        END,
        CLEAR
    }

    private static final int NODES = 12;

    private final Function<NodeFacts, VictimOrder> real;
    private final Function<NodeFacts, VictimOrder> naive;

    OrderScript(Function<NodeFacts, VictimOrder> real, Function<NodeFacts, VictimOrder> naive) {
        this.real = real;
        this.naive = naive;
    }

    /** Runs many scripts of 200 operations. */
    void compare(long firstSeed, int scripts) {
        for (long seed = firstSeed; seed < firstSeed + scripts; seed++) {
            List<Op> ops = generate(new Random(seed), 200);
            if (differs(ops)) {
                fail("seed %d, shrunk to %s", seed, shrink(ops));
            }
        }
    }

    private static List<Op> generate(Random random, int count) {
        Kind[] mix = new Kind[100];
        Arrays.fill(mix, 0, 25, Kind.ADD);
        Arrays.fill(mix, 25, 45, Kind.USE);
        Arrays.fill(mix, 45, 55, Kind.USE_BEHIND);
        Arrays.fill(mix, 55, 65, Kind.REMOVE);
        Arrays.fill(mix, 65, 71, Kind.BEGIN);
        Arrays.fill(mix, 71, 89, Kind.POP);
        Arrays.fill(mix, 89, 94, Kind.PROMOTE);
        Arrays.fill(mix, 94, 99, Kind.END);
        mix[99] = Kind.CLEAR;
        List<Op> ops = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Kind kind = mix[random.nextInt(mix.length)];
            ops.add(new Op(kind, random.nextInt(NODES), random.nextInt(1 << 20)));
        }
        return ops;
    }

    private boolean differs(List<Op> ops) {
        Facts facts = new Facts(NODES);
        VictimOrder one = real.apply(facts);
        VictimOrder two = naive.apply(facts);
        boolean walking = false;
        for (Op op : ops) {
            boolean legal = switch (op.kind()) {
                case BEGIN -> !walking;
                case POP, PROMOTE -> walking;
                case ADD, USE, USE_BEHIND, REMOVE, END, CLEAR -> true;
            };
            if (!legal) {
                continue;
            }
            changeFacts(facts, op);
            if (apply(one, op) != apply(two, op) || one.size() != two.size()) {
                return true;
            }
            for (int node = 0; node < NODES; node++) {
                if (one.contains(node) != two.contains(node)) {
                    return true;
                }
            }
            walking = op.kind() == Kind.BEGIN || (walking && op.kind() != Kind.END && op.kind() != Kind.CLEAR);
        }
        return false;
    }

    private static void changeFacts(Facts facts, Op op) {
        if (op.kind() == Kind.ADD) {
            facts.created[op.node()] = facts.tick;
        }
        if (op.kind() == Kind.ADD || op.kind() == Kind.USE || op.kind() == Kind.USE_BEHIND) {
            facts.lastAccess[op.node()] = facts.tick++;
            facts.hits[op.node()] = op.other() % 5;
            facts.priority[op.node()] = op.other() % 3 - 1L;
        }
    }

    private static int apply(VictimOrder order, Op op) {
        switch (op.kind()) {
            case ADD -> {
                // facts of a member change with ADD too, and the order hears of it
                order.added(op.node());
                order.touched(op.node());
            }
            case USE -> order.touched(op.node());
            case USE_BEHIND -> order.touchedBehind(op.node(), op.other() % NODES);
            case REMOVE -> order.removed(op.node());
            case BEGIN -> order.beginWalk();
            case POP -> {
                return order.popNext();
            }
            case PROMOTE -> order.promote(op.node());
            case END -> order.endWalk();
            case CLEAR -> order.clear();
        }
        return VictimOrder.NONE;
    }

    private List<Op> shrink(List<Op> failing) {
        List<Op> ops = failing;
        for (int chunk = ops.size() / 2; chunk > 0; ) {
            List<Op> smaller = dropOne(ops, chunk);
            if (smaller.size() == ops.size()) {
                chunk /= 2;
            }
            ops = smaller;
        }
        return ops;
    }

    private List<Op> dropOne(List<Op> ops, int chunk) {
        for (int start = 0; start + chunk <= ops.size(); start++) {
            List<Op> without = new ArrayList<>(ops);
            without.subList(start, start + chunk).clear();
            if (differs(without)) {
                return without;
            }
        }
        return ops;
    }
}
