package io.tidemark.core.volume;

/** Whether a sweeper removes what it finds. */
public enum SweepMode {
    /** Removes. */
    RUN,
    /** Lists what it would remove, and changes nothing on the volume. */
    DRY_RUN,
    /** Notes what it would remove, and compares with what another evictor removed. */
    SHADOW
}
