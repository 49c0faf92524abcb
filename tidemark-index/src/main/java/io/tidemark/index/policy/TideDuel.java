package io.tidemark.index.policy;

import java.util.function.IntSupplier;

/**
 * {@code tide} against plain LRU: a shadow LRU of the same size counts the hits that it would have had. After a window in
 * which tide falls behind, it follows LRU for a while, longer each time.
 */
class TideDuel {
    /** No duel: never decided. */
    static final TideDuel NONE = new TideDuel(() -> 0);

    private static final int WINDOW_FILLS = 4;
    private static final int LONGEST_TRUCE_WINDOWS = 64;
    /** Tide has lost a window when it falls behind by more than this share of its references, in thousandths. */
    private static final int LOSS_PER_MILLE = 1;

    private final IntSupplier blocks;
    private long references;
    private long lead;
    private final Truce truce = new Truce(LONGEST_TRUCE_WINDOWS);
    private boolean decided;

    TideDuel(IntSupplier blocks) {
        this.blocks = blocks;
    }

    /** A duel with an LRU of as many blocks. */
    static TideDuel withLru(IntSupplier blocks) {
        return new TideDuel(blocks) {
            private final ShadowLru shadow = new ShadowLru();

            @Override
            void reference(long identity, boolean hit) {
                count(hit, shadow.reference(identity, blocks.getAsInt()));
            }
        };
    }

    /** A block was asked for; {@code hit} when the tier had it. */
    void reference(long identity, boolean hit) {}

    /** Counts one reference of both sides. */
    final void count(boolean hit, boolean shadowHit) {
        references++;
        lead += (hit ? 1 : 0) - (shadowHit ? 1 : 0);
        decided = references >= (long) WINDOW_FILLS * blocks.getAsInt();
        if (decided) {
            endWindow();
        }
    }

    /** Whether the last reference ended a window. */
    boolean isDecided() {
        return decided;
    }

    /** Whether tide follows LRU from now on. */
    boolean isLost() {
        return truce.isOn();
    }

    private void endWindow() {
        truce.windowEnded(-lead * 1000 > references * LOSS_PER_MILLE);
        references = 0;
        lead = 0;
    }
}
