package io.tidemark.core.medium;

/** The kind of storage behind a backend. Ordered from fastest to slowest. */
public enum MediumKind {
    HBM,
    DRAM,
    SSD,
    VOLUME
}
