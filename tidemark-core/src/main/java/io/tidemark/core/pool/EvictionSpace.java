package io.tidemark.core.pool;

/** The account an {@link Evictor} works to, in bytes. */
public interface EvictionSpace {
    long capacityBytes();

    /** Bytes that are not free, whatever holds them. */
    long usedBytes();

    /** Of the used bytes, those on their way out: queued and running demotions, and copies that wait for a last pin. */
    long leavingBytes();

    /** Free bytes that somebody waits for; 0 when nobody does. */
    long wantedBytes();
}
