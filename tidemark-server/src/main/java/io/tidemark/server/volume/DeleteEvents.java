package io.tidemark.server.volume;

import io.tidemark.core.volume.Layout;
import io.tidemark.core.volume.RankDir;

/** Tells an index which blocks are gone. Called from the deleters; fail-open: what cannot be told is counted. */
interface DeleteEvents extends AutoCloseable {
    /** Tells nobody. */
    DeleteEvents NONE = new DeleteEvents() {
        @Override
        public void removed(RankDir rank, Layout.BlockHash hash) {}

        @Override
        public void flush() {}

        @Override
        public long sent() {
            return 0;
        }

        @Override
        public void close() {}
    };

    /** Notes a block of a rank directory that is gone; blocks without a hash and models without a name are left out. */
    void removed(RankDir rank, Layout.BlockHash hash);

    /** Publishes what has been noted, one message per model. */
    void flush();

    /** Hashes published since the start. */
    long sent();

    @Override
    void close();
}
