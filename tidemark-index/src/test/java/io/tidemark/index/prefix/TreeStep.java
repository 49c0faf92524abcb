package io.tidemark.index.prefix;

import java.util.Random;

/**
 * One random call, as data: it means the same whatever calls before it were dropped.
 *
 * @param kind which call
 * @param seed what the arguments are drawn from
 */
record TreeStep(Kind kind, long seed) {
    /** The calls, with their shares. */
    enum Kind {
        INSERT(40),
        MATCH(14),
        LOCK(10),
        UNLOCK(10),
        EVICT(14),
        OPEN(2),
        REGISTER(6),
        RELEASE(2),
        WRITES_DONE(8),
        LOADS_DONE(6),
        LOAD(6),
        EVICT_HOST(4),
        EVICT_WINDOW(8),
        EVICT_STATES(5),
        RELEASE_COMPONENTS(4);

        private final int share;

        Kind(int share) {
            this.share = share;
        }
    }

    static TreeStep random(Random random) {
        int total = 0;
        for (Kind kind : Kind.values()) {
            total += kind.share;
        }
        int drawn = random.nextInt(total);
        for (Kind kind : Kind.values()) {
            drawn -= kind.share;
            if (drawn < 0) {
                return new TreeStep(kind, random.nextLong());
            }
        }
        throw new AssertionError("shares do not add up");
    }

    /** The source of this step's arguments. */
    Random arguments() {
        return new Random(seed);
    }

    /** A key that often shares a prefix with others: a few roots, few tokens, all lengths up to 24. */
    static int[] tokens(Random random) {
        Random family = new Random(random.nextInt(6));
        int length = random.nextInt(25);
        int shared = random.nextInt(25);
        int[] tokens = new int[length];
        for (int i = 0; i < length; i++) {
            int common = 1 + family.nextInt(4);
            tokens[i] = i < shared ? common : 1 + random.nextInt(4);
        }
        return tokens;
    }
}
