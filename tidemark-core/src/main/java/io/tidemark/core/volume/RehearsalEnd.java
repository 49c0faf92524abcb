package io.tidemark.core.volume;

/** Why a rehearsal ended. */
public enum RehearsalEnd {
    /** The volume would be at its target. */
    AT_TARGET,
    /** A whole walk has found nothing more that may go, and the volume would still be above its target. */
    OUT_OF_REACH,
    /** More files would go than a rehearsal keeps in mind. */
    TOO_MANY
}
