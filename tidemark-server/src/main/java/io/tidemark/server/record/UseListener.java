package io.tidemark.server.record;

/** Hears of each use of a block, from the event loops: it must neither wait nor throw. */
public interface UseListener {
    /** Hears nothing. */
    UseListener NONE = new UseListener() {
        @Override
        public boolean listens() {
            return false;
        }

        @Override
        public void used(BlockUse use) {}
    };

    /** Whether it is worth telling. */
    boolean listens();

    /** A client used a block. */
    void used(BlockUse use);
}
