package io.tidemark.core.volume;

import java.util.Locale;

/** Why a file is removed. */
public enum RemovalCause {
    /** The volume is above its mark in bytes or inodes. */
    CAPACITY,
    /** Its model's time to live is over. */
    EXPIRED,
    /** Its model is above its quota. */
    QUOTA,
    /** A temporary file whose writer is long gone. */
    ORPHAN;

    /** Label of a metric. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
