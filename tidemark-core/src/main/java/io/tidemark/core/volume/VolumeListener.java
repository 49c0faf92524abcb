package io.tidemark.core.volume;

/** Is told what a sweeper does. Called from the sweeper's threads; must not block. */
public interface VolumeListener {
    /** Deletion, or its rehearsal, starts; only after this, until {@link #deletionEnded}, files go for the sake of space. */
    void deletionStarted(Usage usage);

    /** Deletion ends: the volume is at or below its target. */
    void deletionEnded(Usage usage);

    /**
     * A rehearsal (dry run, shadow) has come to its end; nothing was removed.
     *
     * @param measured what is in use
     * @param wouldBe what would be in use
     * @param sum what would have been removed since the rehearsal began
     */
    void rehearsalEnded(Usage measured, Usage wouldBe, RehearsalSum sum, RehearsalEnd end);

    /**
     * A file was removed.
     *
     * @param bytes what that freed: nothing where it has another name
     * @param usedSeconds when it was last used, seconds since 1970
     */
    void removed(RankDir rank, Layout.BlockHash hash, long bytes, long usedSeconds);

    /** A deleter has done a batch: what was removed since the last time may be published. */
    void batchEnded();

    /** A file would be removed (dry run). */
    void wouldRemove(String path, long bytes, long ageSeconds);

    /** Something an operator should know. */
    void warn(String message);
}
