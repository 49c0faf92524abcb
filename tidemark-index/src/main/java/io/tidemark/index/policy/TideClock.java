package io.tidemark.index.policy;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** The time of {@code tide}, in ticks. */
interface TideClock {
    /** How often the tier is filled anew within the horizon. */
    int TURNOVERS = 8;

    /** The tick now, {@code fills} blocks having come in; never runs backwards. */
    long now(long fills);

    /** Blocks of the tier, for bounds; 0 when nothing is bounded. */
    int blocks();

    /** The owner's clock. */
    static TideClock of(LongSupplier ticks) {
        return new TideClock() {
            @Override
            public long now(long fills) {
                return ticks.getAsLong();
            }

            @Override
            public int blocks() {
                return 0;
            }
        };
    }

    /** A clock that goes by what comes in: the horizon is {@link #TURNOVERS} fillings of the tier. */
    static TideClock byFills(IntSupplier blocks) {
        return new TideClock() {
            // bounds what ticks cost in a small tier: a fixed amount each
            private static final int SHORTEST_TICK_FILLS = 32;

            private long tick;
            private long tickedAt;

            @Override
            public long now(long fills) {
                long length = Math.max(SHORTEST_TICK_FILLS, (long) blocks.getAsInt() * TURNOVERS / TideHazards.HORIZON);
                if (fills - tickedAt >= length) {
                    tick++;
                    tickedAt = fills;
                }
                return tick;
            }

            @Override
            public int blocks() {
                return blocks.getAsInt();
            }
        };
    }
}
